#version 330 core
// Letters of the debug views, placed in normalised device coordinates.
in vec2 in_position;
in vec2 in_texel;
in vec4 in_color;
out vec2 v_texel;
out vec4 v_color;

void main() {
    gl_Position = vec4(in_position, 0.0, 1.0);
    v_texel = in_texel;
    v_color = in_color;
}
