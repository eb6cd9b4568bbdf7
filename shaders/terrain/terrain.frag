#version 330 core
#include "common/light.glsl"
#include "common/exits.glsl"
uniform sampler2DArray u_grounds;
uniform sampler2DArray u_masks;
uniform float u_tiling[40];
uniform vec4 u_override;
in vec3 v_normal;
in vec2 v_uv;
in float v_radius;
flat in uvec4 v_packed;
out vec4 f_color;

const uint NOTHING = 255u;

// Branches differ between neighbouring pixels, so the sizes of footprints are taken before them.
vec2 uv_dx, uv_dy;

vec3 ground(uint layer) {
    float tiling = u_tiling[layer];
    return textureGrad(u_grounds, vec3(v_uv * tiling, float(layer)), uv_dx * tiling, uv_dy * tiling).rgb;
}

vec2 turned(vec2 d, uint quarters) {
    if (quarters == 1u) return vec2(-d.y, d.x);
    if (quarters == 2u) return -d;
    if (quarters == 3u) return vec2(d.y, -d.x);
    return d;
}

// How much of what is below a mask keeps, by the mask's number among the cell's five.
float kept(uint layer, uint number) {
    uint quarters = (v_packed.w >> (2u * number)) & 3u;
    vec2 uv = turned(v_uv - 0.5, quarters) + 0.5;
    return textureGrad(u_masks, vec3(uv, float(layer)), turned(uv_dx, quarters), turned(uv_dy, quarters)).r;
}

// A layer over what is below it; ``pair`` holds the layer and its mask.
vec3 covered(vec3 below, uint pair, uint number) {
    uint layer = pair & 255u;
    if (layer == NOTHING) return below;
    return mix(ground(layer), below, kept(pair >> 8u & 255u, number));
}

void main() {
    if (before_exit(true)) discard;
    uv_dx = dFdx(v_uv);
    uv_dy = dFdy(v_uv);
    vec3 rgb = ground(v_packed.x & 255u);
    rgb = covered(rgb, v_packed.x >> 16u, 0u);
    rgb = covered(rgb, v_packed.y, 1u);
    rgb = covered(rgb, v_packed.y >> 16u, 2u);
    rgb = covered(rgb, v_packed.z, 3u);
    rgb = covered(rgb, v_packed.z >> 16u, 4u);
    rgb = mix(rgb, vec3(0.75), u_fog_range.w);
    if (u_fog_range.z == 0.0) {
        vec3 light = u_terrain_ambient.rgb
            + u_terrain_sun.rgb * max(dot(normalize(v_normal), u_sun_direction.xyz), 0.0);
        rgb *= clamp(light, 0.0, 1.0);
        rgb = mix(u_fog_color.rgb, rgb, fog_visibility(v_radius));
    }
    f_color = vec4(mix(rgb, u_override.rgb, u_override.a), 1.0);
}
