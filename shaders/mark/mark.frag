#version 330 core
// Marks write stencil only; the debug overlay of regions writes this colour.
uniform vec4 u_color;
out vec4 f_color;

void main() {
    f_color = u_color;
}
