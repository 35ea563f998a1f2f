import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cacheDir } from './cache-dir.js';
import { archiveClasses, classArchive } from './class-archive.js';
import { fetchWithSdk } from './fetch-with-sdk.js';
import { isExecutable } from './locate.js';
import type { OnProgress } from './progress.js';
import { runTool } from './run-tool.js';

type Env = Readonly<Record<string, string | undefined>>;

const programName = 'temporal-test-server';

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>durable-payments</groupId>
  <artifactId>test-server</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId>
      <artifactId>temporal-test-server</artifactId>
      <version>1.38.0</version>
    </dependency>
    <dependency>
      <groupId>org.slf4j</groupId>
      <artifactId>slf4j-nop</artifactId>
      <version>1.7.36</version>
    </dependency>
  </dependencies>
</project>
`;

// The watcher ends Java when the process that started it is gone without having ended it.
const WRAPPER = `#!/bin/sh
here=$(dirname "$0")
{
  while kill -0 "$PPID" && kill -0 "$$"; do sleep 1; done
  kill -KILL "$$"
} >/dev/null 2>&1 &
archive=
if [ -f "$here/${classArchive}" ]; then archive="-XX:SharedArchiveFile=$here/${classArchive}"; fi
exec java \${archive:+"$archive"} -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$here/jars/*" \\
  io.temporal.testserver.TestServer "$@"
`;

/** Where {@link getTestServer} leaves the server that skips time. */
export function testServerPath(env: Env): string {
  return join(cacheDir(env), 'test-server', programName);
}

/**
 * Gets the server that skips time, for tests alone: cached by an earlier run, by the SDK's own download, or with
 * Maven, to be run by Java.
 *
 * @returns the path of its program.
 * @throws Error saying all that was tried.
 */
export async function getTestServer(env: Env, onProgress: OnProgress): Promise<string> {
  const path = testServerPath(env);
  if (await isExecutable(path)) return path;
  try {
    await fetchWithSdk('time-skipping', path, env, onProgress);
  } catch (download) {
    await getWithMaven(dirname(path), env, onProgress).catch((maven: unknown) => {
      throw new Error(
        'The server that skips time for tests could not be had:\n' +
          `- the Temporal SDK's own download: ${String(download)}\n- with Maven, for Java 11 or later: ${String(maven)}`,
      );
    });
  }
  return path;
}

async function getWithMaven(destination: string, env: Env, onProgress: OnProgress): Promise<void> {
  await runTool('java', ['-version'], { env });
  const dir = await mkdtemp(join(dirname(destination), 'maven-'));
  try {
    await writeFile(join(dir, 'pom.xml'), POM);
    const args = ['--batch-mode', '--no-transfer-progress', '--file', join(dir, 'pom.xml')];
    const copy = [
      'dependency:copy-dependencies',
      '-DincludeScope=runtime',
      `-DoutputDirectory=${join(dir, 'jars')}`,
    ];
    await runTool('mvn', [...args, ...copy], { env, onLine: (line) => onProgress(`Maven: ${line}`) });
    const program = join(dir, programName);
    await writeFile(program, WRAPPER);
    await chmod(program, 0o755);
    await rm(destination, { recursive: true, force: true });
    await mkdir(dirname(destination), { recursive: true });
    await rename(dir, destination);
    await archiveClasses(join(destination, programName), env);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
