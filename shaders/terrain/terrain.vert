#version 330 core
// The whole landscape in one draw.
uniform mat4 u_view_projection;
uniform ivec2 u_block;  // the landblock that the eye is given in, by its place on the map
uniform vec3 u_eye;     // the eye in that block's frame
in vec3 in_position;    // in the frame of the vertex's own landblock
in vec4 in_normal;      // bytes: components times 127, plus 128
in uvec4 in_packed;     // layers a byte each; the last word: rotations, corner, the block's x and y
out vec3 v_normal;
out vec2 v_uv;          // over the cell: u east, v south, 0…1
out float v_radius;
flat out uvec4 v_packed;

const vec2 CORNERS[4] = vec2[](vec2(0.0, 1.0), vec2(1.0, 1.0), vec2(1.0, 0.0), vec2(0.0, 0.0));

void main() {
    ivec2 block = ivec2(in_packed.w >> 12u & 255u, in_packed.w >> 20u & 255u);
    vec3 place = in_position + vec3(192.0 * vec2(block - u_block), 0.0) - u_eye;
    gl_Position = u_view_projection * vec4(place, 1.0);
    v_normal = (in_normal.xyz * 255.0 - 128.0) / 127.0;
    v_uv = CORNERS[(in_packed.w >> 10u) & 3u];
    v_radius = length(place);
    v_packed = in_packed;
}
