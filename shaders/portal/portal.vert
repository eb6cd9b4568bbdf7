#version 330 core
// A portal polygon, relative to the eye.
uniform mat4 u_view_projection;
in vec3 in_position;

void main() {
    gl_Position = u_view_projection * vec4(in_position, 1.0);
}
