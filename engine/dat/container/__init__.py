"""The dat file as a container: header, directory, block chains, whole installations, writing one."""
