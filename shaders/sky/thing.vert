#version 330 core
// A model of the sky, around the eye.
uniform mat4 u_view_projection;
uniform mat4 u_model;
uniform vec2 u_scroll;
uniform float u_haze;  // 1 where it ends in the haze at the horizon
in vec3 in_position;
in vec2 in_uv;
in float in_layer;
in vec4 in_material;  // luminosity, diffuse, alpha, smallest alpha that is drawn
out vec2 v_uv;
flat out float v_layer;
flat out vec4 v_material;
out vec4 v_ray;

void main() {
    vec4 place = u_model * vec4(in_position, 1.0);
    gl_Position = u_view_projection * place;
    v_ray = vec4(place.xyz, u_haze);
    v_uv = in_uv + u_scroll;
    v_layer = in_layer;
    v_material = in_material;
}
