#version 330 core
// The whole landscape in one draw.
uniform mat4 u_view_projection;
uniform vec3 u_offset;  // the mesh's origin relative to the eye
in vec3 in_position;
in vec3 in_normal;
in vec2 in_uv;          // over the cell: x east, y north, 0…1
in vec4 in_layers;      // texture layers of the corners SW, SE, NE, NW, as n / 255
in vec4 in_roads;       // road at the corners, 0 or 1
out vec3 v_normal;
out vec2 v_uv;
out vec2 v_ground;
out float v_radius;
flat out ivec4 v_layers;
flat out vec4 v_roads;

void main() {
    vec3 place = in_position + u_offset;
    gl_Position = u_view_projection * vec4(place, 1.0);
    v_normal = in_normal;
    v_uv = in_uv;
    v_ground = in_position.xy;
    v_radius = length(place);
    v_layers = ivec4(in_layers * 255.0 + 0.5);
    v_roads = in_roads;
}
