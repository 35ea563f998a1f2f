const named =
  /^(PATH|HOME|TMPDIR|TZ|LANG|LC_\w+|SYSTEMROOT|TERM|https?_proxy|no_proxy|SSL_CERT_\w+|NODE_EXTRA_CA_CERTS|XDG_\w+_HOME|npm_config_.*|NPM_TOKEN|NODE_AUTH_TOKEN)$/i;

/**
 * What npm needs to install: the environment of whoever starts this may hold the secrets of payments.
 *
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @returns {Record<string, string>}
 */
export function npmEnvironment(environment) {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => named.test(name)));
}
