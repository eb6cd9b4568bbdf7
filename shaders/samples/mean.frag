#version 330 core
// The mean of a pixel's samples.
uniform sampler2DMS u_samples;
uniform int u_count;
out vec4 out_color;

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    vec4 sum = vec4(0.0);
    for (int i = 0; i < u_count; i++) {
        sum += texelFetch(u_samples, pixel, i);
    }
    out_color = sum * (1.0 / float(u_count));
}
