#version 330 core
// The region of an exit in normalised device coordinates; depths of the exit's plane and of its seal there.
in vec4 in_position;
in float in_above;  // above 0 where the plane is above the ground
out vec2 v_depth;
out float v_above;

void main() {
    gl_Position = vec4(in_position.xy, 2.0 * in_position.z - 1.0, 1.0);
    v_depth = in_position.zw;
    v_above = in_above;
}
