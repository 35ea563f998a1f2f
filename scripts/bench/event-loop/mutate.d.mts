import type { Description, Shape } from './render.mjs';

export function mutated(request: Description, shape: Shape, random: () => number): Description;
