#version 330 core
in vec2 v_depth;
in float v_above;
out vec2 f_depth;

void main() {
    vec2 depth = max(v_depth, vec2(0.0));
    f_depth = vec2(v_above < 0.0 ? -depth.x : depth.x, depth.y);
}
