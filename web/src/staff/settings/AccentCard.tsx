import {
  accentTokens,
  type ColourMode,
  contrastPairs,
  meetsContrast,
  nearestReadable,
} from '@dubplate/contract/contrast'
import { Box, Group, List, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { type CSSProperties, useState } from 'react'
import { format, rich } from '../../format/message.ts'
import button from '../../ui/Button.module.css'
import { Button } from '../../ui/Button.tsx'
import {
  type AccentValues,
  CONTRAST_USES,
  DEFAULT_COLOURS,
  describeAccent,
  readColour,
  toStored,
  validateAccent,
} from './accent.ts'
import { SettingsCard } from './SettingsCard.tsx'
import { type Everything, useSettingsGroup } from './settingsGroup.ts'
import * as texts from './texts.ts'

/** The pool's accent colour for dark and light mode: no single colour is readable on both. */
export function AccentCard({ all }: { all: Everything }) {
  const { accent } = all.settings
  const group = useSettingsGroup(all, {
    group: 'accent',
    valuesOf: ({ settings }): AccentValues => settings.accent.value ?? DEFAULT_COLOURS,
    toStored,
    validate: validateAccent,
  })
  const { form } = group
  const [brandColour, setBrandColour] = useState('')
  const applyBrandColour = (typed: string) => {
    setBrandColour(typed)
    const colour = readColour(typed)
    if (colour) form.setValues({ night: nearestReadable('night', colour), day: nearestReadable('day', colour) })
  }
  return (
    <SettingsCard
      group={group}
      title={texts.accentColour}
      description={texts.usedForButtonsFocusAnd}
      state={all.groups.accent}
      isOverridden={accent.is_overridden}
      origin={texts.defaultLabel}
      initialValue={describeAccent(accent.first)}
    >
      <ColourInput
        label={texts.yourBrandColour}
        description={texts.wellPickTheClosestReadable}
        placeholder="#c8f135"
        maw={280}
        value={brandColour}
        onChange={applyBrandColour}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
        {(['night', 'day'] as const).map((mode) => (
          <Stack key={mode} gap="md">
            <ColourInput
              label={mode === 'night' ? texts.darkMode : texts.lightMode}
              placeholder={DEFAULT_COLOURS[mode]}
              {...form.field(mode)}
            />
            <Sample mode={mode} values={form.values} />
            <Contrast mode={mode} typed={form.values[mode]} onChoose={(colour) => form.setValues({ [mode]: colour })} />
          </Stack>
        ))}
      </SimpleGrid>
    </SettingsCard>
  )
}

type ContrastProps = { mode: ColourMode; typed: string; onChoose: (colour: string) => void }

/** The contrast of a colour in each of its uses; if it is too low in one, a button for the nearest readable colour. */
function Contrast({ mode, typed, onChoose }: ContrastProps) {
  const colour = readColour(typed)
  if (!colour) return null
  const pairs = contrastPairs(mode, colour)
  const readable = nearestReadable(mode, colour)
  return (
    <>
      <List listStyleType="none" fz="sm" spacing={4} p={0}>
        {pairs.map((pair) => (
          <List.Item key={pair.use} c={meetsContrast(pair) ? 'var(--text-2)' : 'var(--danger)'}>
            <Group gap={6} wrap="nowrap">
              {meetsContrast(pair) ? <IconCheck size={15} aria-hidden /> : <IconX size={15} aria-hidden />}
              <Text fz="inherit" flex={1}>
                {CONTRAST_USES[pair.use]}
              </Text>
              <b className="num">{pair.ratio.toFixed(1)}</b>
              <span className="num">
                {format(meetsContrast(pair) ? texts.min : texts.belowMin, { ratio: pair.minRatio })}
              </span>
            </Group>
          </List.Item>
        ))}
      </List>
      {!pairs.every(meetsContrast) && (
        <Button onClick={() => onChoose(readable)}>{format(texts.useReadable, { colour: readable })}</Button>
      )}
    </>
  )
}

/** A sample of the site with these colours as its accent. */
function Sample({ mode, values }: { mode: ColourMode; values: AccentValues }) {
  const night = readColour(values.night) ?? DEFAULT_COLOURS.night
  const tokens = accentTokens({ night, day: readColour(values.day) ?? DEFAULT_COLOURS.day })[mode]
  return (
    <Group
      data-mantine-color-scheme={mode === 'night' ? 'dark' : 'light'}
      bg="var(--bg)"
      c="var(--text)"
      p="md"
      style={{ ...(tokens as CSSProperties), border: '1px solid var(--line)', borderRadius: 'var(--r-md)' }}
      inert
    >
      <span className={button.button} data-look="primary">
        {texts.download}
      </span>
      <Box c="var(--accent-ink)">{rich(texts.nightDriveKwame, { b: (inside) => <b>{inside}</b> })}</Box>
    </Group>
  )
}

type ColourProps = {
  label: string
  description?: string
  placeholder?: string
  maw?: number
  /** As typed; '' for none. */
  value: string
  error?: string
  onChange: (colour: string) => void
}

/** A colour, typed as `#c8f135` or picked. Mantine's ColorInput has no names for the sliders of its picker. */
const ColourInput = ({ label, value, onChange, ...input }: ColourProps) => (
  <TextInput
    {...input}
    label={label}
    maxLength={7}
    autoComplete="off"
    spellCheck={false}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    leftSectionPointerEvents="all"
    leftSection={
      <input
        type="color"
        aria-label={format(texts.pick, { label })}
        value={readColour(value) ?? '#808080'}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        style={{ width: 24, height: 24, padding: 0, border: 0, background: 'none' }}
      />
    }
  />
)
