import { failureConverterPath } from './data-converter.js';

/**
 * How workflows and their interceptors are bundled. Each module is loaded once, when a worker starts, and shared by all
 * workflows that it holds (docs/decisions/shared-modules.md): none may keep in a variable what belongs to one workflow.
 */
export function bundleOptions(workflowsPath: string, interceptors: readonly string[]) {
  return {
    workflowsPath,
    workflowInterceptorModules: [...interceptors],
    preloadModules: [workflowsPath, ...interceptors],
    failureConverterPath,
  };
}
