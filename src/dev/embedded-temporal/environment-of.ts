type Env = Readonly<Record<string, string | undefined>>;

const base = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'LANG', 'LC_ALL', 'SYSTEMROOT'];

/** What else downloads and builds go by: proxies, certificates, caches, and the settings of Go, Java and Maven. */
const further = new Set([
  ...base,
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'CURL_CA_BUNDLE', 'GIT_SSL_CAINFO'],
  ...['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'JAVA_HOME', 'JAVA_TOOL_OPTIONS', 'M2_HOME', 'MAVEN_OPTS'],
  ...['GOPROXY', 'GOSUMDB', 'GONOSUMDB', 'GONOPROXY', 'GOPRIVATE', 'GOINSECURE', 'GOAUTH', 'NETRC'],
  ...['GOPATH', 'GOCACHE', 'GOMODCACHE', 'GOBIN', 'GOROOT', 'GOENV', 'GOFLAGS', 'GOTOOLCHAIN', 'GOMAXPROCS'],
  ...['GOTMPDIR', 'CGO_ENABLED', 'CC'],
]);

/** What any program needs to run, and nothing else: this process's environment may hold secrets of anybody. */
export function environmentToRun(env: Env): Record<string, string> {
  return named(base, env);
}

/** The same for a tool that asks for, downloads or builds a program. */
export function environmentOfTool(env: Env): Record<string, string> {
  return named(further, env);
}

/** The same for a pager: its terminal, its language and its own settings. */
export function environmentOfPager(env: Env): Record<string, string> {
  const own = Object.keys(env).filter((name) => /^(LESS|LC_|TERM|COLORTERM$|MORE$|BAT_)/.test(name));
  return named([...base, ...own], env);
}

function named(names: Iterable<string>, env: Env): Record<string, string> {
  return Object.fromEntries(
    [...names].flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
}
