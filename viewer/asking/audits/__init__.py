"""What a pixel shows where it shows no thing: the ground and the sky."""
