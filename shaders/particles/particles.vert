#version 330 core
// Particles: one model at many places. Each has a row of five texels in u_particles.
uniform mat4 u_view_projection;
uniform sampler2D u_particles;  // place relative to the eye and alpha; three turned and scaled axes; point light
uniform int u_first;            // the row of the first one
in vec3 in_position;
in vec3 in_normal;
in vec2 in_uv;
in float in_layer;
in vec4 in_material;  // luminosity, diffuse, alpha, smallest alpha that is drawn
out vec3 v_normal;
out vec2 v_uv;
out vec3 v_light;
out float v_radius;
out float v_alpha;
flat out float v_layer;
flat out vec4 v_material;

vec4 texel(int column) {
    return texelFetch(u_particles, ivec2(column, u_first + gl_InstanceID), 0);
}

void main() {
    vec4 head = texel(0);
    mat3 axes = mat3(texel(1).xyz, texel(2).xyz, texel(3).xyz);
    vec3 place = head.xyz + axes * in_position;
    gl_Position = u_view_projection * vec4(place, 1.0);
    v_normal = axes * in_normal;
    v_uv = in_uv;
    v_light = texel(4).rgb;
    v_radius = length(place);
    v_alpha = head.w;
    v_layer = in_layer;
    v_material = in_material;
}
