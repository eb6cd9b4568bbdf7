#version 330 core
// Surfaces of the sky light themselves: by their luminosity, or by what light there is.
uniform sampler2DArray u_textures;
uniform vec3 u_ambient;
uniform float u_luminosity;  // below 0: the surface's own
uniform float u_most;        // the brightest it gets
uniform float u_opacity;
in vec2 v_uv;
flat in float v_layer;
flat in vec4 v_material;
in vec4 v_ray;
out vec4 f_color;

void main() {
    vec4 texel = texture(u_textures, vec3(v_uv, v_layer));
    float alpha = texel.a * v_material.z;
    if (v_material.w > 0.0 && alpha < v_material.w) discard;
    float own = u_luminosity < 0.0 ? v_material.x : u_luminosity;
    vec3 light = u_luminosity < 0.0 && own == 0.0 ? u_ambient : vec3(own);
    // What is behind it there has the colour of the fog, as the land has that ends before it.
    float clear = mix(1.0, smoothstep(-0.015, 0.2, normalize(v_ray.xyz).z), v_ray.w);
    f_color = vec4(texel.rgb * clamp(light, 0.0, u_most), alpha * u_opacity * clear);
}
