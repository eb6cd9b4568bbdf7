#version 330 core
#include "common/light.glsl"
#include "common/exits.glsl"
uniform sampler2DArray u_textures;
uniform vec4 u_override;     // rgb and how much of it replaces the lit texture
uniform vec3 u_point_light;  // point lights at an object's place
uniform vec2 u_draw;         // x: the object's own alpha; y: 1 where fog fades to black
uniform float u_finer;       // below 0 where a pixel has several samples: mip levels that cut-outs are finer by
in vec3 v_normal;
in vec2 v_uv;
in vec3 v_light;
in float v_radius;
flat in float v_layer;
flat in vec4 v_material;
out vec4 f_color;

void main() {
    bool is_cut_out = v_material.w > 0.25;
    vec4 texel = texture(u_textures, vec3(v_uv, v_layer), is_cut_out ? u_finer : 0.0);
    float alpha = texel.a * v_material.z;
    float least = v_material.w;
    if (is_cut_out) {  // how much of the pixel is covered: all or nothing, or one at the edge some of its samples
        float within = clamp((alpha - least) / max(fwidth(alpha), 0.004) + 0.5, 0.0, 1.0);
        alpha = u_finer < 0.0 ? within : step(least, alpha);
        least = 0.1;
    }
    if (before_exit(false)) discard;
    if (alpha < least) discard;
    vec3 rgb = mix(texel.rgb, vec3(0.75), u_fog_range.w);
    if (u_fog_range.z == 0.0) {
        vec3 light = u_ambient.rgb + v_light + u_point_light
            + u_sun.rgb * max(dot(normalize(v_normal), u_sun_direction.xyz), 0.0);
        rgb *= clamp(vec3(v_material.x) + v_material.y * light, 0.0, 1.0);
        rgb = mix(u_fog_color.rgb * (1.0 - u_draw.y), rgb, fog_visibility(v_radius));
    }
    f_color = vec4(mix(rgb, u_override.rgb, u_override.a), alpha * u_draw.x);
}
