#version 330 core
uniform vec3 u_horizon;
uniform vec3 u_zenith;
uniform vec3 u_sun_direction;
uniform vec3 u_sun_color;
uniform float u_flat;  // 1: the zenith colour alone
in vec3 v_ray;
out vec4 f_color;

void main() {
    vec3 ray = normalize(v_ray);
    float rise = clamp(ray.z, 0.0, 1.0);
    // Slow at first: mountains that fade into the fog's colour stand before the lower part of the sky.
    vec3 sky = mix(u_horizon, u_zenith, smoothstep(0.2, 0.9, rise));
    float toward = max(dot(ray, u_sun_direction), 0.0);
    sky += u_sun_color * (0.25 * pow(toward, 24.0) + smoothstep(0.9990, 0.9996, toward));
    f_color = vec4(mix(sky, u_zenith, u_flat), 1.0);
}
