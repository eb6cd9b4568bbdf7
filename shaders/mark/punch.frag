#version 330 core
// Resets depth to far behind an opening.
out vec4 f_color;

void main() {
    f_color = vec4(0.0);
    gl_FragDepth = 1.0;
}
