// Where the landscape begins in an interior frame: at the exits. See renderer/exit_depth.py.
#ifdef BEGINS_AT_EXITS
uniform sampler2D u_exits;  // window depth of the nearest exit, negated where that is below the ground; of its seal
uniform int u_beyond;       // 0: the landscape is everywhere; 1: from the exits on; 2: where their seals hide the cells
uniform float u_reach;      // pixels that a sample may lie off its pixel's middle, where the depth is taken

bool before_exit(bool is_ground) {
    float depth = gl_FragCoord.z + u_reach * fwidth(gl_FragCoord.z);
    if (u_beyond == 0) return false;
    ivec2 here = ivec2(gl_FragCoord.xy);
    vec2 exits = texelFetch(u_exits, here, 0).rg;
    if (abs(exits.x) > 1.0) {                        // only samples of this pixel are an exit's: take a neighbour's
        ivec2 last = textureSize(u_exits, 0) - 1;
        for (int k = 0; k < 8 && abs(exits.x) > 1.0; k++) {
            int n = k < 4 ? 2 * k + 1 : (k < 6 ? 2 * k - 8 : 2 * k - 6);  // beside it before at its corners
            exits = texelFetch(u_exits, clamp(here + ivec2(n % 3 - 1, n / 3 - 1), ivec2(0), last), 0).rg;
        }
    }
    float at = abs(exits.x);
    if (at > 1.0) return false;                      // there is no exit here
    if (is_ground && exits.x < 0.0) return false;    // who looks out below the ground sees the ground
    return u_beyond == 1 ? depth < at - 1e-6 : depth <= exits.y;
}
#else
bool before_exit(bool is_ground) {
    return false;
}
#endif
