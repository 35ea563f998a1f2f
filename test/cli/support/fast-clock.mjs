// Preloaded into a process whose clock shall be a minute fast.
const { now } = Date;
Date.now = () => now() + 60_000;
