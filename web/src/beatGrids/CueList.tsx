import { CUE_KINDS, type CueKind } from '@dubplate/contract/song-structure'
import { Group, NativeSelect, Stack, Text } from '@mantine/core'
import { IconChevronDown, IconPlus, IconTrash } from '@tabler/icons-react'
import { format } from '../format/message.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { CUE_NAMES, type GridValues } from './gridForm.ts'
import { formatExactTime, parseExactTime } from './gridTools.ts'
import { TypedNumber } from './TypedNumber.tsx'
import * as texts from './texts.ts'

type Cues = GridValues['cues']
type Props = {
  cues: Cues
  error: string | undefined
  /** No more can be added. */
  isFull: boolean
  onChange: (cues: Cues) => void
  /** Adds one at the play position. */
  onAdd: () => void
}

const KINDS = CUE_KINDS.map((kind) => ({ value: kind, label: CUE_NAMES[kind] }))

/** The cue points with their kinds and times. */
export function CueList({ cues, error, isFull, onChange, onAdd }: Props) {
  const change = (at: number, part: Partial<Cues[number]>) =>
    onChange(cues.map((cue, i) => (i === at ? { ...cue, ...part } : cue)))
  return (
    <Stack component="section" gap="sm" aria-label={texts.cuePoints}>
      <Text component="h3" fw={600}>
        {texts.cuePoints}
      </Text>
      {cues.map(({ kind, at_seconds }, at) => (
        // They have no id, and are only added and removed here.
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <Group key={at} gap="sm" wrap="nowrap" align="flex-start">
          <NativeSelect
            aria-label={format(texts.typeOf, { number: at + 1 })}
            flex="1 1 140px"
            rightSection={<IconChevronDown size={16} aria-hidden />}
            data={KINDS}
            value={kind}
            onChange={({ currentTarget }) => change(at, { kind: currentTarget.value as CueKind })}
          />
          <TypedNumber
            aria-label={format(texts.timeOf, { number: at + 1 })}
            flex="0 1 130px"
            error={at_seconds === null && texts.enterTime}
            value={at_seconds}
            write={formatExactTime}
            parse={parseExactTime}
            onChange={(at_seconds) => change(at, { at_seconds })}
          />
          <IconButton
            label={format(texts.deleteCuePoint, { number: at + 1 })}
            onClick={() => onChange(cues.filter((_, i) => i !== at))}
          >
            <IconTrash size={17} />
          </IconButton>
        </Group>
      ))}
      {error && (
        <Text role="alert" size="sm" c="var(--danger)">
          {error}
        </Text>
      )}
      <div>
        <Button disabled={isFull} onClick={onAdd}>
          <IconPlus size={16} aria-hidden />
          {texts.addCuePoint}
        </Button>
      </div>
    </Stack>
  )
}
