/** The command line of operators. The build replaces this module by one file that loads in half the time. */
export { exitCodeOf, runCommandLine } from './command-line.js';
