#version 330 core
// A line as a strip of so many pixels' width: drivers of the core profile draw wide lines as they like.
layout(lines) in;
layout(triangle_strip, max_vertices = 4) out;
uniform vec2 u_pixel;  // a pixel's half width in NDC, times the line's width
in vec4 v_color[];
out vec4 g_color;

const float NEAR = 0.02;

void main() {
    vec4 a = gl_in[0].gl_Position;
    vec4 b = gl_in[1].gl_Position;
    if (a.w < NEAR && b.w < NEAR) return;
    if (a.w < NEAR) a = mix(b, a, (b.w - NEAR) / (b.w - a.w));
    if (b.w < NEAR) b = mix(a, b, (a.w - NEAR) / (a.w - b.w));
    vec2 along = (b.xy / b.w - a.xy / a.w) / u_pixel;
    float size = length(along);
    vec2 across = size > 1e-6 ? vec2(-along.y, along.x) / size * u_pixel : vec2(0.0, u_pixel.y);
    g_color = v_color[0];
    gl_Position = vec4(a.xy + across * a.w, a.zw);
    EmitVertex();
    gl_Position = vec4(a.xy - across * a.w, a.zw);
    EmitVertex();
    g_color = v_color[1];
    gl_Position = vec4(b.xy + across * b.w, b.zw);
    EmitVertex();
    gl_Position = vec4(b.xy - across * b.w, b.zw);
    EmitVertex();
    EndPrimitive();
}
