#version 330 core
// Slanted lines over what the stencil lets through.
uniform vec4 u_color;
uniform float u_step;  // pixels from line to line
out vec4 f_color;

void main() {
    float along = mod(gl_FragCoord.x + gl_FragCoord.y, u_step);
    if (along > 0.35 * u_step) discard;
    f_color = u_color;
}
