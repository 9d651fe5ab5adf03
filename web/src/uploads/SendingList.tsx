import { Group, Stack, Text } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconRefresh, IconX } from '@tabler/icons-react'
import { formatBytes } from '../format/format.ts'
import { format } from '../format/message.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { ProgressBar } from './elements.tsx'
import { sendingText } from './rate.ts'
import { cancelUpload, pause, resume, resumeUploads } from './sending.ts'
import { type Sending, useSending } from './sendings.ts'
import * as texts from './texts.ts'
import css from './Uploads.module.css'

type Props = {
  /** Uses a file that has already been uploaded. */
  onUse?: ((uploadId: number) => void) | undefined
}

/** The uploads in progress, with their progress and actions. Nothing if there are none. */
export function SendingList({ onUse }: Props) {
  const list = useSending(({ list }) => list)
  if (list.length === 0) return null
  return (
    <>
      <ResumeUpload count={list.filter(({ reopening }) => reopening === 'prompt').length} />
      <Stack
        component="ul"
        gap="sm"
        // With many files in the list, the form stays within reach.
        mah="min(60vh, 480px)"
        style={{ overflowY: 'auto' }}
        aria-label={texts.uploadingFiles}
      >
        {list.map((sending) => (
          <SendingRow key={sending.id} sending={sending} onUse={onUse} />
        ))}
      </Stack>
    </>
  )
}

/** After a reload: one click for all files that the browser can read only with permission. */
function ResumeUpload({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <Group className={css.sending} role="status" justify="space-between" gap="md" bg="var(--accent-soft)">
      <p>{format(texts.yourBrowserNeedsYourPermission, { count })}</p>
      <Button variant="primary" onClick={() => void resumeUploads()}>
        {texts.resumeUpload}
      </Button>
    </Group>
  )
}

const percent = ({ state, share, sent, bytes }: Sending) =>
  Math.round((state === 'checking' ? share : sent / bytes) * 100)

const amounts = (sent: number, bytes: number) => ({ sent: formatBytes(sent), bytes: formatBytes(bytes) })

/** The text for an unfinished upload of an earlier visit: its progress, and how to continue it. */
function unfinishedText({ name, bytes, sent, why, reopening }: Sending): string {
  const progress =
    sent === 0
      ? format(texts.notUploadedYet, { bytes: formatBytes(bytes) })
      : format(texts.allUploaded, amounts(sent, bytes))
  if (reopening === 'opening') return `${progress} ${texts.resumingSentence}`
  if (reopening === 'other-tab') return texts.thisFileIsBeingUploaded
  if (reopening === 'prompt')
    return `${progress} ${sent === 0 ? texts.selectResumeUploadToSend : texts.selectResumeUploadToContinue}`
  const nextStep = format(sent === 0 ? texts.chooseAgainToSend : texts.chooseAgainToContinue, { name })
  return [why, progress, nextStep].filter(Boolean).join(' ')
}

function statusText(sending: Sending): string {
  const { state, bytes, sent, rate, why, hasStumbled: hasRetried } = sending
  if (state === 'left') return unfinishedText(sending)
  if (why) return why
  if (state === 'waiting')
    return sent > 0
      ? format(texts.resumingFrom, { bytes: formatBytes(bytes) })
      : format(texts.waitingToUpload, { bytes: formatBytes(bytes) })
  if (state === 'checking') return format(texts.checking, { percent: percent(sending) })
  if (state === 'paused') return format(texts.paused, amounts(sent, bytes))
  if (state === 'broken') return navigator.onLine ? texts.connectionLostWillResume : texts.youreOfflineWillResume
  if (hasRetried) return format(texts.connectionLostRetrying, amounts(sent, bytes))
  return sent === bytes ? texts.finishing : sendingText(sent, bytes, rate)
}

function SendingRow({ sending, onUse }: Props & { sending: Sending }) {
  const { id, name, state, upload_id } = sending
  const isRejected = state === 'refused'
  return (
    <Group component="li" className={css.sending} gap="md" wrap="nowrap" data-state={state} data-testid="sending">
      <Stack gap={2} miw={0} flex={1}>
        <Text fw={560} truncate title={name}>
          {name}
        </Text>
        <Text
          className="num"
          size="xs"
          c={isRejected ? 'var(--danger)' : 'var(--text-2)'}
          style={{ overflowWrap: 'anywhere' }}
          role={isRejected ? 'alert' : undefined}
        >
          {statusText(sending)}
        </Text>
        {!isRejected && <ProgressBar label={name} percent={percent(sending)} valueText={statusText(sending)} />}
      </Stack>
      <Group className={css.actions} gap={0} wrap="nowrap" flex="none">
        {isRejected && onUse && upload_id !== undefined && (
          <Button
            onClick={() => {
              onUse(upload_id)
              cancelUpload(id)
            }}
          >
            {texts.useThisFile}
          </Button>
        )}
        <Actions sending={sending} />
      </Group>
    </Group>
  )
}

function Actions({ sending: { id, name, state, canRetry } }: { sending: Sending }) {
  const isInProgress = state === 'checking' || state === 'sending' || state === 'waiting'
  const isDone = state === 'refused' || state === 'left'
  return (
    <>
      {isInProgress && (
        <IconButton label={format(texts.pause, { name })} onClick={() => pause(id)}>
          <IconPlayerPause size={17} />
        </IconButton>
      )}
      {(state === 'paused' || state === 'broken') && (
        <IconButton label={format(texts.resume, { name })} onClick={() => resume(id)}>
          {state === 'paused' ? <IconPlayerPlay size={17} /> : <IconRefresh size={17} />}
        </IconButton>
      )}
      {canRetry && state === 'refused' && (
        <IconButton label={format(texts.retry, { name })} onClick={() => resume(id)}>
          <IconRefresh size={17} />
        </IconButton>
      )}
      <IconButton
        label={isDone ? format(texts.dismiss, { name }) : format(texts.cancelUploadLabel, { name })}
        onClick={() => cancelUpload(id)}
      >
        <IconX size={17} />
      </IconButton>
    </>
  )
}
