#version 330 core
// The atlas holds how much of a pixel a letter covers.
uniform sampler2D u_atlas;
in vec2 v_texel;
in vec4 v_color;
out vec4 f_color;

void main() {
    f_color = vec4(v_color.rgb, v_color.a * texelFetch(u_atlas, ivec2(floor(v_texel)), 0).r);
}
