#version 330 core
// Coloured lines and faces of the debug views, relative to the eye.
uniform mat4 u_view_projection;
uniform float u_alpha;
in vec3 in_position;
in vec4 in_color;
out vec4 v_color;

void main() {
    gl_Position = u_view_projection * vec4(in_position, 1.0);
    v_color = vec4(in_color.rgb, in_color.a * u_alpha);
}
