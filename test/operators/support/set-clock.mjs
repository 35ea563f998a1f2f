// Loaded before a worker's program (`node --import`): its clock differs by so many milliseconds from everybody else's.
const { now } = Date;
const RealDate = Date;
const differsByMs = Number(process.env.CLOCK_DIFFERS_BY_MS);

Date.now = () => now() + differsByMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args) => new target(...(args.length === 0 ? [Date.now()] : args)),
});
