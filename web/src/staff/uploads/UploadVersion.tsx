import type { uploadedSongs, uploads } from '@dubplate/contract'
import { ActionIcon, Card, Group, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef } from 'react'
import { formatDuration } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { SealBadge } from '../../quality/SealBadge.tsx'
import { Faults, FileState } from '../../uploads/FileState.tsx'
import { FileWave } from '../../uploads/FileWave.tsx'
import { element, playPreview, positionIn, toggle, usePreview } from '../../uploads/preview.ts'
import { previewStartOf } from './PlayUpload.tsx'
import * as texts from './texts.ts'

type Slot = uploadedSongs.Slot

type Props = {
  slot: Slot
  /** Counts from 1; also the key that plays it. */
  number: number
  /** Problems found in comparison with the other versions. */
  faults: readonly uploads.Fault[]
}

/** Plays a version from where it was paused, or from its preview start; pauses it if it is playing. */
export const toggleVersion = (slot: Slot) => toggle(slot.file, positionIn(slot.file.upload_id) ?? previewStartOf(slot))

/** One version of a member's song: playable, with its measurements and problems. */
export function UploadVersion({ slot, number, faults }: Props) {
  const { name, file } = slot
  const isCurrent = usePreview(({ upload_id }) => upload_id === file.upload_id)
  const isPlaying = usePreview(({ isPlaying }) => isPlaying) && isCurrent
  const error = usePreview(({ errorMessage }) => errorMessage)
  const label = format(isPlaying ? texts.pauseVersionLabel : texts.playVersionLabel, { name })
  return (
    <Card component="li" padding="md" aria-label={name}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" gap="sm">
          <Title order={3} size="h2" style={{ whiteSpace: 'nowrap' }}>
            {name}
          </Title>
          <Text size="xs" c="var(--text-2)" truncate title={file.file}>
            {file.file}
          </Text>
        </Group>
        <FileState file={file} />
        {file.analysis.state === 'done' && (
          <div>
            <SealBadge seal={file.analysis.seal} name={name} target={{ upload_id: file.upload_id }} audience="staff" />
          </div>
        )}
        <Faults file={file} />
        {faults.map(({ code, message }) => (
          <Text key={code} size="sm" c="var(--warn)">
            <IconAlertTriangle size={14} aria-hidden /> {message}
          </Text>
        ))}
        {file.mp3 && (
          <>
            <Group wrap="nowrap" gap="sm">
              <ActionIcon
                variant="filled"
                color="lime"
                radius="xl"
                size={36}
                flex="none"
                aria-label={label}
                aria-keyshortcuts={number < 10 ? String(number) : undefined}
                onClick={() => toggleVersion(slot)}
              >
                {isPlaying ? <IconPlayerPauseFilled size={17} /> : <IconPlayerPlayFilled size={17} />}
              </ActionIcon>
              <div style={{ flex: 1, minWidth: 0 }}>
                <VersionWave slot={slot} />
              </div>
            </Group>
            <Text size="xs" c="var(--text-2)" className="num">
              {format(texts.previewStartsAtTime, { time: formatDuration(previewStartOf(slot)) })}
            </Text>
          </>
        )}
        {isCurrent && error && (
          <Text role="alert" size="sm" c="var(--danger)">
            {error}
          </Text>
        )}
      </Stack>
    </Card>
  )
}

const STEP_SECONDS = 5
const STEPS: Record<string, number> = { ArrowLeft: -STEP_SECONDS, ArrowRight: STEP_SECONDS, PageDown: -30, PageUp: 30 }

/**
 * The waveform, with the preview start and the positions of faults. A click, or the keys of a slider, play from there.
 */
function VersionWave({ slot }: { slot: Slot }) {
  const { name, file } = slot
  const { duration_seconds } = file.analysis
  const slider = useRef<HTMLDivElement>(null)
  useSpokenPosition(slider, slot)
  const playFromPointer = ({ button, clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    if (button === 0 && width) playPreview(file, ((clientX - left) / width) * duration_seconds)
  }
  const handleKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const position = positionIn(file.upload_id) ?? previewStartOf(slot)
    const to = event.key === 'Home' ? 0 : step && position + step
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    playPreview(file, Math.min(Math.max(0, to), Math.max(0, duration_seconds - 1)))
  }
  return (
    <FileWave
      slider={slider}
      file={file}
      start_seconds={previewStartOf(slot)}
      startTitle={format(texts.previewStartsAtTime, { time: formatDuration(previewStartOf(slot)) })}
      aria-label={format(texts.positionIn, { name })}
      aria-valuemax={Math.floor(duration_seconds)}
      onPointerDown={playFromPointer}
      onKeyDown={handleKey}
    />
  )
}

const POSITION_EVENTS = ['timeupdate', 'seeked', 'emptied']

/** Announces the position to screen readers in whole seconds, without a React render. */
function useSpokenPosition(slider: RefObject<HTMLElement | null>, slot: Slot) {
  useEffect(() => {
    const target = slider.current
    const { upload_id, analysis } = slot.file
    const announce = () => {
      const now = Math.floor(positionIn(upload_id) ?? previewStartOf(slot))
      const text = format(texts.playPosition, {
        now: formatDuration(now),
        duration_seconds: formatDuration(analysis.duration_seconds),
      })
      if (!target || target.ariaValueText === text) return
      target.setAttribute('aria-valuenow', String(now))
      target.setAttribute('aria-valuetext', text)
    }
    announce()
    for (const name of POSITION_EVENTS) element.addEventListener(name, announce)
    return () => {
      for (const name of POSITION_EVENTS) element.removeEventListener(name, announce)
    }
  }, [slider, slot])
}
