#version 330 core
// Cells, shells and objects. Positions become relative to the eye before they are projected.
uniform mat4 u_view_projection;
#ifdef SEVERAL
uniform mat4 u_models[32];  // of things that are drawn at once
#define u_model u_models[gl_InstanceID]
#else
uniform mat4 u_model;
#endif
uniform vec4 u_look;  // luminosity and diffuse, below 0 the surface's own; what is added to uv
in vec3 in_position;
in vec3 in_normal;
in vec2 in_uv;
in float in_layer;
in vec4 in_material;  // luminosity, diffuse, alpha, smallest alpha that is drawn
in vec4 in_light;     // baked point lights, rgb
out vec3 v_normal;
out vec2 v_uv;
out vec3 v_light;
out float v_radius;
flat out float v_layer;
flat out vec4 v_material;

void main() {
    vec4 place = u_model * vec4(in_position, 1.0);
    gl_Position = u_view_projection * place;
    v_normal = mat3(u_model) * in_normal;
    v_uv = in_uv + u_look.zw;
    v_light = in_light.rgb;
    v_radius = length(place.xyz);
    v_layer = in_layer;
    v_material = in_material;
    if (u_look.x >= 0.0) v_material.x = u_look.x;
    if (u_look.y >= 0.0) v_material.y = u_look.y;
}
