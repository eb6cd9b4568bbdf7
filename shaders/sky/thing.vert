#version 330 core
// A model of the sky, around the eye.
uniform mat4 u_view_projection;
uniform mat4 u_model;
uniform vec2 u_scroll;
in vec3 in_position;
in vec2 in_uv;
in float in_layer;
in vec4 in_material;  // luminosity, diffuse, alpha, smallest alpha that is drawn
out vec2 v_uv;
flat out float v_layer;
flat out vec4 v_material;

void main() {
    gl_Position = u_view_projection * (u_model * vec4(in_position, 1.0));
    v_uv = in_uv + u_scroll;
    v_layer = in_layer;
    v_material = in_material;
}
