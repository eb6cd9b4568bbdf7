#version 330 core
// The opening of a building as a mark: writes stencil only.
#include "common/exits.glsl"
out vec4 f_color;

void main() {
    if (before_exit(false)) discard;
    f_color = vec4(0.0);
}
