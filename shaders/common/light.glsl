// What lights one scope of a frame: the landscape, the cells, or the cells of a look-in.
layout(std140) uniform Light {
    vec4 u_ambient;          // mesh ambient, rgb
    vec4 u_sun;              // mesh sunlight, rgb
    vec4 u_sun_direction;    // towards the sun, xyz
    vec4 u_terrain_ambient;  // terrain ambient, rgb
    vec4 u_terrain_sun;      // terrain sunlight, rgb
    vec4 u_fog_color;        // rgb, w 1 where fog is on
    vec4 u_fog_range;        // start and end in metres; z 1 for plain textures without light, w 1 for light without textures
};

float fog_visibility(float radius) {
    if (u_fog_color.w == 0.0) return 1.0;
    return clamp((u_fog_range.y - radius) / max(u_fog_range.y - u_fog_range.x, 0.001), 0.0, 1.0);
}
