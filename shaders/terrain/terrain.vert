#version 330 core
// The whole landscape in one draw.
uniform mat4 u_view_projection;
uniform vec3 u_offset;  // the mesh's origin relative to the eye
in vec3 in_position;
in vec4 in_normal;      // bytes: components times 127, plus 128
in uvec4 in_packed;     // layers a byte each; in the last word rotations, two bits each, then the corner
out vec3 v_normal;
out vec2 v_uv;          // over the cell: u east, v south, 0…1
out float v_radius;
flat out uvec4 v_packed;

const vec2 CORNERS[4] = vec2[](vec2(0.0, 1.0), vec2(1.0, 1.0), vec2(1.0, 0.0), vec2(0.0, 0.0));

void main() {
    vec3 place = in_position + u_offset;
    gl_Position = u_view_projection * vec4(place, 1.0);
    v_normal = (in_normal.xyz * 255.0 - 128.0) / 127.0;
    v_uv = CORNERS[(in_packed.w >> 10u) & 3u];
    v_radius = length(place);
    v_packed = in_packed;
}
