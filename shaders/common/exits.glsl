// Where the landscape begins in an interior frame: at the exits. See renderer/exit_depth.py.
#ifdef BEGINS_AT_EXITS
uniform sampler2D u_exits;  // window depth of the nearest exit, negated where that is below the ground; of its seal
uniform int u_beyond;       // 0: the landscape is everywhere; 1: from the exits on; 2: where their seals hide the cells

bool before_exit(bool is_ground) {
    if (u_beyond == 0) return false;
    vec2 exits = texelFetch(u_exits, ivec2(gl_FragCoord.xy), 0).rg;
    float at = abs(exits.x);
    if (at > 1.0) return false;                      // there is no exit here
    if (is_ground && exits.x < 0.0) return false;    // who looks out below the ground sees the ground
    return u_beyond == 1 ? gl_FragCoord.z < at - 1e-6 : gl_FragCoord.z <= exits.y;
}
#else
bool before_exit(bool is_ground) {
    return false;
}
#endif
