import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { SongKey } from '@dubplate/contract/keys'
import { analyse } from '../server/src/analysis/analyse.ts'
import { wavOf } from '../server/src/analysis/make-audio.ts'
import { scoreKeyGuess } from './key-scores.ts'
import { downloadLoops, playLoop } from './labelled-loops.ts'
import { keyTracks, renderScore, tempoTracks, UNSEEN_KINDS } from './labelled-music.ts'
import { endedChildrenCpuSeconds } from './measure.ts'
import type { AnalysisMeasurement } from './measure-analysis.ts'
import { builtPath } from './processes.ts'
import { atLeastTarget, type Finding, megabytes, type Report } from './results.ts'

/**
 * The weights and confidences of the analyser were fitted on seeds 1 and 3, so the benchmark measures with another one.
 */
const SEED = 4
const TRACKS_PER_RHYTHM = 5
const TRACKS_PER_KEY = 3
const FULL_LENGTH_SECONDS = 300

type Guess = { kind: string; truth: number; bpm: number; confidence: number; otherResults: Record<string, number> }
type KeyGuess = { kind: string; score: number; confidence: number }

/**
 * Measures tempo and key on tracks of known tempo and key, compared with other programs on the same files, and the cost
 * of analysing a full-length file.
 */
export async function benchAnalysis(): Promise<Report> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-bench-analysis-'))
  try {
    const tempos = await guessTempos(folder)
    const { loops, missing } = await guessLoops(folder)
    const keys = await guessKeys(folder)
    const speed = measureSpeed(folder)
    return {
      title: 'Analysis',
      findings: [
        ...tempoFindings(tempos, loops),
        ...keyFindings(keys),
        ...confidenceFindings(tempos, keys),
        ...speed.findings,
      ],
      notes: [...notesOf(tempos, keys), ...missing, ...speed.notes],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function guessTempos(folder: string): Promise<Guess[]> {
  const guesses: Guess[] = []
  for (const { kind, bpm = 0, mono } of tempoTracks(SEED, TRACKS_PER_RHYTHM)) {
    guesses.push(await guessTempo(folder, { kind, bpm, mono }))
  }
  return guesses
}

async function guessLoops(folder: string): Promise<{ loops: Guess[]; missing: string[] }> {
  const matches = downloadLoops(folder)
  const loops: Guess[] = []
  for (const loop of matches.loops) {
    const played = playLoop(loop)
    if (played) loops.push(await guessTempo(folder, { kind: 'loop', ...played }))
  }
  const missing = matches.missing.map(
    (name) => `Without the loops of Debian's ${name}: they are not installed and could not be downloaded with apt.`,
  )
  if (matches.loops.length > 0 && loops.length === 0) missing.push('Without loops: ffmpeg is not installed.')
  return { loops, missing }
}

type TestTrack = { kind: string; bpm: number; mono: Float32Array }

async function guessTempo(folder: string, { kind, bpm, mono }: TestTrack): Promise<Guess> {
  const file = path.join(folder, 'tempo.wav')
  writeFileSync(file, wavOf([mono]))
  const ourResult = await analyse(file)
  const otherResults: Record<string, number> = {}
  for (const [name, guess] of Object.entries(OTHER_ANALYSERS)) {
    const detectedBpm = guess(file, mono)
    if (detectedBpm !== undefined) otherResults[name] = detectedBpm
  }
  return { kind, truth: bpm, bpm: ourResult.bpm ?? 0, confidence: ourResult.bpm_confidence, otherResults }
}

/**
 * Other programs, limited to our analyser's tempo range where they allow it. Undefined when the program is not
 * installed.
 */
const OTHER_ANALYSERS: Record<string, (file: string, mono: Float32Array) => number | undefined> = {
  aubio: (file) => readNumber('aubio', ['tempo', file]),
  'bpm-tools': (_, mono) =>
    readNumber('bpm', ['-m', '60', '-x', '200'], Buffer.from(mono.buffer, mono.byteOffset, mono.byteLength)),
}

function readNumber(program: string, args: string[], input?: Buffer): number | undefined {
  const { error, stdout } = spawnSync(program, args, { encoding: 'utf8', ...(input ? { input: input as never } : {}) })
  return error ? undefined : Number(/[\d.]+/.exec(stdout)?.[0] ?? 0)
}

const isNear = (guess: number, truth: number, share = 0.04) => Math.abs(guess / truth - 1) <= share
const isRight = (guess: number, truth: number) => isNear(guess, truth)
const isRightOrOctave = (guess: number, truth: number) => [1, 2, 0.5].some((octave) => isNear(guess, truth * octave))

type GuessJudge = (guess: number, truth: number) => boolean

const formatPercent = (count: number, all: number) => Math.round((count / all) * 1000) / 10
const share = <T>(items: readonly T[], predicate: (item: T) => boolean) =>
  formatPercent(items.filter(predicate).length, items.length)

function otherAnalysers(guesses: Guess[], isCorrect: GuessJudge): string {
  const names = Object.keys(guesses[0]?.otherResults ?? {})
  return names
    .map((name) => `${share(guesses, (guess) => isCorrect(guess.otherResults[name]!, guess.truth))} (${name})`)
    .join(', ')
}

function accuracyFinding(what: string, guesses: Guess[], isCorrect: GuessJudge, target?: number): Finding {
  const ourResult = share(guesses, ({ bpm, truth }) => isCorrect(bpm, truth))
  return {
    what: `${what}, of 100`,
    ours: String(ourResult),
    against: otherAnalysers(guesses, isCorrect),
    ...(target === undefined ? {} : { target: atLeastTarget(ourResult, target) }),
  }
}

function tempoFindings(tempos: Guess[], loops: Guess[]): Finding[] {
  const unseenGuesses = tempos.filter(({ kind }) => UNSEEN_KINDS.includes(kind))
  const findings = [
    accuracyFinding(`tempo within 4 % on ${tempos.length} pieces`, tempos, isRight, 90),
    accuracyFinding('the same, accepting half and double tempo', tempos, isRightOrOctave, 96),
    accuracyFinding('the same, within 0.1 %', tempos, (guess, truth) => isNear(guess, truth, 0.001)),
    accuracyFinding(
      `tempo within 4 % on the ${unseenGuesses.length} of rhythms nothing was fitted on`,
      unseenGuesses,
      isRight,
    ),
  ]
  if (loops.length === 0) return findings
  return [
    ...findings,
    accuracyFinding(`tempo within 4 % on ${loops.length} recorded loops`, loops, isRight),
    accuracyFinding('the same, accepting half and double tempo', loops, isRightOrOctave),
  ]
}

async function guessKeys(folder: string): Promise<KeyGuess[]> {
  const guesses: KeyGuess[] = []
  const file = path.join(folder, 'key.wav')
  for (const { kind, song_key, mono } of keyTracks(SEED, TRACKS_PER_KEY)) {
    writeFileSync(file, wavOf([mono]))
    const ourResult = await analyse(file)
    const score = ourResult.song_key && song_key ? scoreKeyGuess(ourResult.song_key as SongKey, song_key) : 0
    guesses.push({ kind, score, confidence: ourResult.key_confidence })
  }
  return guesses
}

function keyFindings(keys: KeyGuess[]): Finding[] {
  const keyScore = (guesses: KeyGuess[]) =>
    formatPercent(
      guesses.reduce((sum, { score }) => sum + score, 0),
      guesses.length,
    )
  const kinds = [...new Set(keys.map(({ kind }) => kind))]
  const exact = share(keys, ({ score }) => score === 1)
  return [
    {
      what: `key on ${keys.length} pieces, MIREX score`,
      ours: `${keyScore(keys)} (exactly right ${exact} of 100)`,
      against: kinds.map((kind) => `${keyScore(keys.filter((key) => key.kind === kind))} (${kind})`).join(', '),
      target: atLeastTarget(keyScore(keys), 80),
    },
  ]
}

const CONFIDENCE_BOUNDS = [0, 0.5, 0.7, 0.8, 0.9]

/**
 * The share of correct guesses within each confidence range, so that stated confidence can be compared with accuracy.
 */
function confidenceFindings(tempos: Guess[], keys: KeyGuess[]): Finding[] {
  const confidentGuesses = {
    tempo: tempos.map(({ bpm, truth, confidence }) => ({ confidence, isRight: isRight(bpm, truth) })),
    key: keys.map(({ score, confidence }) => ({ confidence, isRight: score === 1 })),
  }
  return Object.entries(confidentGuesses).flatMap(([what, guesses]) =>
    CONFIDENCE_BOUNDS.map((from, i) => {
      const to = CONFIDENCE_BOUNDS[i + 1] ?? 1
      const inRange = guesses.filter(({ confidence }) => confidence >= from && (confidence < to || to === 1))
      const right = inRange.filter((guess) => guess.isRight).length
      const mean = inRange.reduce((sum, { confidence }) => sum + confidence, 0) / (inRange.length || 1)
      return {
        what: `${what} shown with a confidence of ${from} to ${to}`,
        ours: `${right} of ${inRange.length} right`,
        against: inRange.length > 0 ? `${(mean * inRange.length).toFixed(1)} (promised)` : '',
        ...(from === 0.9 ? { target: atLeastTarget(formatPercent(right, inRange.length), 90, ' of 100') } : {}),
      }
    }),
  )
}

/** Analyses a full-length track in each format, including its preview, in a separate process. */
function measureSpeed(folder: string): { findings: Finding[]; notes: string[] } {
  const score = { seed: 1, rhythm: 'house', bpm: 124, tonic: 9, mode: 'minor', cents: 0 } as const
  const mono = renderScore({ ...score, seconds: FULL_LENGTH_SECONDS, hasDrums: true, hasHarmony: true })
  const wav = path.join(folder, 'full.wav')
  writeFileSync(wav, wavOf([mono, mono.map((sample, i) => (sample + (mono[i - 400] ?? 0)) / 2)]))
  const files = { WAV: wav, ...encoded(folder, wav) }
  const findings = Object.entries(files).map(([format, file]) => speedOf(format, file, folder))
  return {
    findings,
    notes: Object.keys(files).length === 1 ? ['Without FLAC and MP3: ffmpeg is not installed.'] : [],
  }
}

function encoded(folder: string, wav: string): Record<string, string> {
  const files = { FLAC: path.join(folder, 'full.flac'), 'MP3 of 320 kbit/s': path.join(folder, 'full.mp3') }
  for (const file of Object.values(files)) {
    const result = spawnSync('ffmpeg', [
      '-v',
      'error',
      '-nostdin',
      '-i',
      wav,
      ...(file.endsWith('3') ? ['-b:a', '320k'] : []),
      file,
    ])
    if (result.status !== 0) return {}
  }
  return files
}

function speedOf(format: string, file: string, folder: string): Finding {
  const previewPath = path.join(folder, 'preview.mp3')
  const child = spawnSync(process.execPath, [builtPath('analysing'), file, previewPath], { encoding: 'utf8' })
  if (child.status !== 0) throw new Error(`${file} was not analysed: ${child.stderr}`)
  const { duration_seconds, cpu_seconds, peak_mb } = JSON.parse(child.stdout) as AnalysisMeasurement
  const speed = Math.round(duration_seconds / cpu_seconds)
  const lame = lameSeconds(file)
  return {
    what: `analysis with preview of ${duration_seconds.toFixed(0)} s ${format}, times real time on one core`,
    ours: `${speed} (${cpu_seconds.toFixed(2)} s of CPU, at most ${megabytes(peak_mb)})`,
    against: lame ? `${lame.toFixed(2)} s of CPU (ffmpeg making the preview alone)` : '',
    ...(lame ? { ratio: cpu_seconds / lame } : {}),
    target: atLeastTarget(speed, 60),
  }
}

/** CPU seconds ffmpeg's LAME needs for the same preview. Undefined when ffmpeg has no LAME. */
function lameSeconds(file: string): number | undefined {
  const before = endedChildrenCpuSeconds()
  const options = ['-v', 'error', '-nostdin', '-threads', '1', '-i', file, '-b:a', '128k', '-f', 'mp3']
  const { status } = spawnSync('ffmpeg', [...options, '-y', '/dev/null'])
  return status === 0 ? endedChildrenCpuSeconds() - before : undefined
}

function notesOf(tempos: Guess[], keys: KeyGuess[]): string[] {
  const availableTools = Object.keys(tempos[0]?.otherResults ?? {})
  const missingTools = Object.keys(OTHER_ANALYSERS).filter((name) => !availableTools.includes(name))
  return [
    `${tempos.length} pieces of known tempo (${new Set(tempos.map(({ kind }) => kind)).size} rhythms, 65 to 180 BPM) and ${keys.length} of known key (up to 30 cents off, a third without drums), 36 s each, synthesised from seeds that nothing was fitted on, by bench/labelled-music.ts; no genre was given. The authors of the analyser generated them, so they are easier than real records.`,
    'The loops are those of sonic-pi-samples and lmms-common, repeated for 30 s; their tempo is their length. The ranker has learned from some of them.',
    ...missingTools.map(
      (name) =>
        `${name} is not installed, so it was not compared (apt install ${name === 'aubio' ? 'aubio-tools' : name}).`,
    ),
  ]
}
