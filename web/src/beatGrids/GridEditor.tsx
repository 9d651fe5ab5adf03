import type { beatGrids } from '@dubplate/contract'
import { MAX_CUES } from '@dubplate/contract/schemas/beat-grids'
import { CUE_KINDS } from '@dubplate/contract/song-structure'
import { Alert, Group, Stack, Text } from '@mantine/core'
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { ResourceForm } from '../admin/ResourceForm.tsx'
import { formatTime } from '../format/format.ts'
import { format } from '../format/message.ts'
import { beatsBetween } from '../player/beatGrid.ts'
import { usePeaks } from '../player/peaks.ts'
import { Button } from '../ui/Button.tsx'
import { Switch } from '../ui/Switch.tsx'
import { CueList } from './CueList.tsx'
import type { GridTarget } from './GridDialog.tsx'
import { GridWaveform } from './GridWaveform.tsx'
import { drawnGrid, type GridValues, placedCues, steadyGridOf } from './gridForm.ts'
import { createGridSound, type GridSound, LONGEST_SECONDS, type SoundState } from './gridSound.ts'
import {
  addTap,
  double,
  fitTaps,
  formatExactTime,
  halve,
  MIN_TAPS,
  nudge,
  parseBpm,
  parseExactTime,
  type SteadyGrid,
  setOne,
  snapToBeat,
} from './gridTools.ts'
import { TypedNumber } from './TypedNumber.tsx'
import * as texts from './texts.ts'
import { useGridForm } from './useGridForm.ts'

const NUDGES_MS = [-10, -1, 1, 10]

type Props = { target: GridTarget; grid: beatGrids.EditableGrid; onClose: () => void }

/** The form of a beat grid: what is heard and seen, and the tools that change it. */
export function GridEditor({ target, grid, onClose }: Props) {
  const { form, restoreMeasured, isRemoving } = useGridForm(target, grid, onClose)
  const { values } = form
  const steady = steadyGridOf(values)
  const [hasClicks, setClicks] = useState(true)
  const { sound, state } = useGridSound(grid, steady, hasClicks)
  const { taps, tap } = useTaps(sound, steady, form.setValues)
  const peaks = usePeaks({ address: grid.peaks || undefined, lanes: 3 })
  const position = () => sound.position()
  const change = (tool: (grid: SteadyGrid) => SteadyGrid) => steady && form.setValues(tool(steady))
  const setCues = (cues: GridValues['cues']) => form.setValues({ cues })
  const addCue = () => {
    const kind = CUE_KINDS.find((kind) => values.cues.every((cue) => cue.kind !== kind)) ?? 'drop'
    setCues([...values.cues, { kind, at_seconds: steady ? snapToBeat(steady, position()) : position() }])
  }
  const stage = (
    <>
      <GridStatus grid={grid} />
      <GridWaveform
        {...{ sound, peaks, grid: steady, duration_seconds: grid.duration_seconds, cues: placedCues(values) }}
        onMoveCue={(index, at_seconds) =>
          !grid.locked && setCues(values.cues.map((cue, i) => (i === index ? { ...cue, at_seconds } : cue)))
        }
      />
      <Group gap="md">
        <PlayButton state={state} isDisabled={grid.duration_seconds > LONGEST_SECONDS} onClick={() => sound.toggle()} />
        <Switch checked={hasClicks} onChange={setClicks}>
          {texts.click}
        </Switch>
      </Group>
      <SoundMessage state={state} isTooLong={grid.duration_seconds > LONGEST_SECONDS} />
    </>
  )
  if (grid.locked) return <Stack gap="lg">{stage}</Stack>
  return (
    <ResourceForm form={form} label={texts.beatGrid} onClose={onClose}>
      {stage}
      <Group gap="sm" align="flex-start">
        <TypedNumber
          {...form.field('bpm')}
          label={texts.bpm}
          w={110}
          value={values.bpm}
          write={(bpm) => String(Math.round(bpm * 100) / 100)}
          parse={parseBpm}
          onChange={(bpm) => form.setValues({ bpm })}
        />
        <Tools>
          <Button disabled={!steady} onClick={() => change(halve)}>
            {texts.halve}
          </Button>
          <Button disabled={!steady} onClick={() => change(double)}>
            {texts.double}
          </Button>
          <TapButton isDisabled={state !== 'playing'} onTap={tap} />
        </Tools>
      </Group>
      <Text fz="sm" c="var(--text-2)" role="status">
        {describeTaps(taps, steady)}
      </Text>
      <Group gap="sm" align="flex-start">
        <TypedNumber
          {...form.field('first_downbeat_seconds')}
          label={texts.firstDownbeat}
          w={130}
          value={values.first_downbeat_seconds}
          write={formatExactTime}
          parse={parseExactTime}
          onChange={(first_downbeat_seconds) => form.setValues({ first_downbeat_seconds })}
        />
        <Tools>
          {NUDGES_MS.map((ms) => (
            <Button key={ms} disabled={!steady} onClick={() => change((grid) => nudge(grid, ms))}>
              {format(ms < 0 ? texts.nudgeEarlier : texts.nudgeLater, { ms: Math.abs(ms) })}
            </Button>
          ))}
          <Button
            disabled={!steady}
            title={texts.setOneHint}
            onClick={() => change((grid) => setOne(grid, position()))}
          >
            {texts.setOne}
          </Button>
        </Tools>
      </Group>
      <CueList
        cues={values.cues}
        error={form.field('cues').error}
        isFull={values.cues.length >= MAX_CUES}
        onChange={setCues}
        onAdd={addCue}
      />
      {(grid.correction || grid.measured) && (
        <div>
          <Button
            busy={isRemoving}
            disabled={!grid.correction && !form.isChanged}
            onClick={() => void restoreMeasured()}
          >
            {grid.measured ? texts.useMeasuredGrid : texts.removeCorrection}
          </Button>
        </div>
      )}
    </ResourceForm>
  )
}

/** Buttons beside a field with a label. */
const Tools = ({ children }: { children: React.ReactNode }) => (
  <Group gap="xs" mt={{ sm: 24 }}>
    {children}
  </Group>
)

const LOCKED = { staff: texts.lockedByStaff, shared: texts.lockedShared }

/** What was measured and how certain it is, who corrected it, and what a correction cannot do. */
function GridStatus({ grid: { measured, correction, locked } }: { grid: beatGrids.EditableGrid }) {
  const percent = (confidence: number) => Math.round(confidence * 100)
  return (
    <Stack gap={4}>
      {locked && (
        <Alert color="var(--warn)" variant="light" p="sm">
          {LOCKED[locked]}
        </Alert>
      )}
      {correction && (
        <Text fz="sm">
          {format(correction.by_kind === 'staff' ? texts.correctedByStaff : texts.correctedByUploader, {
            at: [correction.by, formatTime(correction.at)].filter(Boolean).join(', '),
          })}
        </Text>
      )}
      <Text fz="sm" c="var(--text-2)">
        {measured
          ? format(texts.measured, {
              bpm: Math.round(measured.bpm * 100) / 100,
              beats: percent(measured.beat_confidence),
              bars: percent(measured.downbeat_confidence),
            })
          : texts.noBeatsFound}
      </Text>
      {measured?.has_tempo_changes && <Text fz="sm">{texts.tempoChanges}</Text>}
    </Stack>
  )
}

type PlayProps = { state: SoundState; isDisabled: boolean; onClick: () => void }

const PlayButton = ({ state, isDisabled, onClick }: PlayProps) => (
  <Button data-autofocus disabled={isDisabled} busy={state === 'loading'} onClick={onClick}>
    {state === 'playing' ? (
      <IconPlayerPauseFilled size={16} aria-hidden />
    ) : (
      state !== 'loading' && <IconPlayerPlayFilled size={16} aria-hidden />
    )}
    {state === 'playing' ? texts.pause : state === 'loading' ? texts.loading : texts.play}
  </Button>
)

const SoundMessage = ({ state, isTooLong }: { state: SoundState; isTooLong: boolean }) =>
  (isTooLong || state === 'failed') && (
    <Text role="alert" fz="sm" c="var(--danger)">
      {isTooLong ? texts.fileTooLong : texts.couldntLoadTheSound}
    </Text>
  )

/** Taps when it is pressed, not when it is released: that would be late. */
const TapButton = ({ isDisabled, onTap }: { isDisabled: boolean; onTap: () => void }) => (
  <Button
    disabled={isDisabled}
    aria-keyshortcuts="T"
    onPointerDown={onTap}
    onClick={({ detail }) => {
      // By key: a pointer has tapped already.
      if (detail === 0) onTap()
    }}
  >
    {texts.tap}
  </Button>
)

function describeTaps(taps: readonly number[], steady: SteadyGrid | undefined): string {
  const count = taps.length
  if (count === 0) return texts.tapHint
  if (count < MIN_TAPS || !steady) return format(texts.tapCount, { count, least: MIN_TAPS })
  return format(texts.tappedBpm, { count, bpm: steady.bpm })
}

/** The sound of a file with clicks on the beats of a grid. */
function useGridSound(
  { mp3, duration_seconds }: Pick<beatGrids.EditableGrid, 'mp3' | 'duration_seconds'>,
  steady: SteadyGrid | undefined,
  hasClicks: boolean,
) {
  const [state, setState] = useState<SoundState>('stopped')
  const [sound] = useState(() => createGridSound({ url: mp3, duration_seconds, onState: setState }))
  useEffect(() => {
    sound.setClicks((from, to) => (steady && hasClicks ? beatsBetween(drawnGrid(steady), from, to) : []))
  })
  useEffect(() => () => sound.close(), [sound])
  return { sound, state }
}

const TEXT_FIELDS = 'input:not([type=range]):not([type=checkbox]),select,textarea'

/** Taps by button and by the T key while it plays. From the eighth tap on, they set the grid. */
function useTaps(
  sound: GridSound,
  steady: SteadyGrid | undefined,
  onFit: (grid: SteadyGrid) => void,
): { taps: readonly number[]; tap: () => void } {
  const [taps, setTaps] = useState<readonly number[]>([])
  const tap = () => {
    if (!sound.isPlaying()) return
    const next = addTap(taps, sound.position())
    setTaps(next)
    const fitted = fitTaps(next, steady)
    if (fitted) onFit(fitted)
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isTyping = event.target instanceof Element && event.target.matches(TEXT_FIELDS)
    if (event.key.toLowerCase() !== 't' || event.repeat || event.ctrlKey || event.metaKey || event.altKey || isTyping)
      return
    event.preventDefault()
    tap()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  return { taps, tap }
}
