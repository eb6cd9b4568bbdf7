#version 330 core
#include "common/light.glsl"
uniform sampler2DArray u_textures;
uniform float u_tiling[40];
uniform int u_road_layer;
uniform vec4 u_override;
in vec3 v_normal;
in vec2 v_uv;
in vec2 v_ground;
in float v_radius;
flat in ivec4 v_layers;
flat in vec4 v_roads;
out vec4 f_color;

const float CELL = 24.0;
const float ROAD_HALF_WIDTH = 5.0;

float hash(vec2 p) {
    p = fract(p * vec2(0.1031, 0.1030));
    p += dot(p, p.yx + 33.33);
    return fract((p.x + p.y) * p.x);
}

float noise(vec2 p) {
    vec2 i = floor(p);
    vec2 f = fract(p);
    f = f * f * (3.0 - 2.0 * f);
    return mix(mix(hash(i), hash(i + vec2(1.0, 0.0)), f.x),
               mix(hash(i + vec2(0.0, 1.0)), hash(i + vec2(1.0, 1.0)), f.x), f.y);
}

vec3 ground(int layer, vec2 uv_dx, vec2 uv_dy) {
    // Rows are stored from the top, so v grows southwards (rendering 5.4).
    vec2 uv = vec2(v_uv.x, 1.0 - v_uv.y) * u_tiling[layer];
    return textureGrad(u_textures, vec3(uv, float(layer)),
        uv_dx * u_tiling[layer], uv_dy * u_tiling[layer]).rgb;
}

float segment(vec2 p, vec2 a, vec2 b) {
    vec2 d = b - a;
    return length(p - a - d * clamp(dot(p - a, d) / dot(d, d), 0.0, 1.0));
}

// Metres from the middle of the nearest road: it runs between neighbouring corners that have it.
float road_distance(vec2 p) {
    bool sw = v_roads.x > 0.5, se = v_roads.y > 0.5, ne = v_roads.z > 0.5, nw = v_roads.w > 0.5;
    if (sw && se && ne && nw) return 0.0;
    float d = 1000.0;
    if (sw && se) d = min(d, segment(p, vec2(0.0), vec2(CELL, 0.0)));
    if (se && ne) d = min(d, segment(p, vec2(CELL, 0.0), vec2(CELL)));
    if (ne && nw) d = min(d, segment(p, vec2(CELL), vec2(0.0, CELL)));
    if (nw && sw) d = min(d, segment(p, vec2(0.0, CELL), vec2(0.0)));
    if (sw && ne && !se && !nw) d = min(d, segment(p, vec2(0.0), vec2(CELL)));
    if (se && nw && !sw && !ne) d = min(d, segment(p, vec2(CELL, 0.0), vec2(0.0, CELL)));
    if (sw) d = min(d, length(p));
    if (se) d = min(d, length(p - vec2(CELL, 0.0)));
    if (ne) d = min(d, length(p - vec2(CELL)));
    if (nw) d = min(d, length(p - vec2(0.0, CELL)));
    return d;
}

void main() {
    vec2 uv_dx = dFdx(vec2(v_uv.x, -v_uv.y));
    vec2 uv_dy = dFdy(vec2(v_uv.x, -v_uv.y));
    // Corner weights, bent a little by noise so that borders between grounds are not straight.
    vec2 bend = vec2(noise(v_ground * 0.21), noise(v_ground.yx * 0.23 + 17.0)) - 0.5;
    vec2 t = clamp(v_uv + 0.35 * bend * 4.0 * v_uv * (1.0 - v_uv), 0.0, 1.0);
    t = smoothstep(0.0, 1.0, t);
    vec4 weight = vec4((1.0 - t.x) * (1.0 - t.y), t.x * (1.0 - t.y), t.x * t.y, (1.0 - t.x) * t.y);
    vec3 rgb = ground(v_layers.x, uv_dx, uv_dy);
    if (v_layers != v_layers.xxxx) {
        rgb = rgb * weight.x
            + ground(v_layers.y, uv_dx, uv_dy) * weight.y
            + ground(v_layers.z, uv_dx, uv_dy) * weight.z
            + ground(v_layers.w, uv_dx, uv_dy) * weight.w;
    }
    if (u_road_layer >= 0 && v_roads != vec4(0.0)) {
        float ragged = 1.6 * (noise(v_ground * 0.9) - 0.5) + 0.8 * (noise(v_ground * 3.1) - 0.5);
        float off = road_distance(v_uv * CELL) + ragged;
        float road = 1.0 - smoothstep(ROAD_HALF_WIDTH - 1.6, ROAD_HALF_WIDTH - 0.4, off);
        rgb = mix(rgb, ground(u_road_layer, uv_dx, uv_dy), road);
    }
    rgb = mix(rgb, vec3(0.75), u_fog_range.w);
    if (u_fog_range.z == 0.0) {
        rgb *= 0.92 + 0.16 * noise(v_ground * 0.07);
        vec3 light = u_terrain_ambient.rgb
            + u_terrain_sun.rgb * max(dot(normalize(v_normal), u_sun_direction.xyz), 0.0);
        rgb *= clamp(light, 0.0, 1.0);
        rgb = mix(u_fog_color.rgb, rgb, fog_visibility(v_radius));
    }
    f_color = vec4(mix(rgb, u_override.rgb, u_override.a), 1.0);
}
