import cliProgress from 'cli-progress';

/** Reports what happens: on a terminal above a bar of the scenes, elsewhere in plain lines. */
export type Reporter = {
  scene(title: string, number: number, of: number): void;
  line(text: string): void;
  close(): void;
};

export function createReporter(): Reporter {
  return process.stdout.isTTY ? withBar() : inLines();
}

function inLines(): Reporter {
  return {
    scene: (title, number, of) => console.log(`\n${String(number)}/${String(of)} ${title}`),
    line: (text) => console.log(`  ${text}`),
    close: () => console.log(''),
  };
}

function withBar(): Reporter {
  const bars = new cliProgress.MultiBar(
    { format: '{bar} {value}/{total} {scene}', stream: process.stdout, hideCursor: true },
    cliProgress.Presets.shades_classic,
  );
  let bar: cliProgress.SingleBar | undefined;
  return {
    scene: (title, number, of) => {
      bar ??= bars.create(of, 0);
      bar.update(number - 1, { scene: title });
      bars.log(`\n${String(number)}/${String(of)} ${title}\n`);
    },
    line: (text) => {
      bars.log(`  ${text}\n`);
      bars.update();
    },
    close: () => {
      bar?.update(bar.getTotal(), { scene: '' });
      bars.stop();
    },
  };
}
