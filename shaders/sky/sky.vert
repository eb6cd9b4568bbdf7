#version 330 core
// One triangle over the screen; the ray through each corner.
uniform vec3 u_forward;
uniform vec3 u_right;  // times the tangent of half the horizontal field
uniform vec3 u_up;     // times the tangent of half the vertical field
out vec3 v_ray;

void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    gl_Position = vec4(corner, 0.0, 1.0);
    v_ray = u_forward + corner.x * u_right + corner.y * u_up;
}
