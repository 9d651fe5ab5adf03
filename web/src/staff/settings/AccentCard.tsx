import {
  accentTokens,
  type ColourMode,
  contrastPairs,
  meetsContrast,
  nearestReadable,
} from '@dubplate/contract/contrast'
import { IconCheck, IconX } from '@tabler/icons-react'
import { type CSSProperties, useRef } from 'react'
import { format, rich } from '../../platform/message.ts'
import button from '../../ui/Button.module.css'
import { Button } from '../../ui/Button.tsx'
import { useFocusFirstError } from '../../ui/useFocusFirstError.ts'
import {
  type AccentEntry,
  accentInWords,
  accentValues,
  CONTRAST_USES,
  complaintsOfAccent,
  MADE,
  readColour,
} from './accent.ts'
import { ColourField } from './ColourField.tsx'
import { SettingCard } from './SettingCard.tsx'
import css from './Settings.module.css'
import { type Everything, useGroup } from './saving.ts'
import * as texts from './texts.ts'

/** The pool's accent colour for dark and light mode: no single colour is readable on both. */
export function AccentCard({ all }: { all: Everything }) {
  const { accent } = all.settings
  const box = useRef<HTMLFormElement>(null)
  const form = useGroup(all, {
    group: 'accent',
    entryOf: ({ settings }): AccentEntry => settings.accent.value ?? MADE,
    valuesOf: accentValues,
    complaintsOf: complaintsOfAccent,
    onRefused: useFocusFirstError(box),
  })
  return (
    <SettingCard
      form={form}
      box={box}
      title={texts.accentColour}
      what={texts.usedForButtonsFocusAnd}
      standing={all.groups.accent}
      isSetHere={accent.is_overridden}
      otherwise={texts.defaultLabel}
      first={texts.theDefaultColours}
      inWords={({ settings }) => accentInWords(settings.accent.value)}
    >
      <Own onChoose={(own) => form.write({ night: nearestReadable('night', own), day: nearestReadable('day', own) })} />
      <div className={css.times}>
        {(['night', 'day'] as const).map((time) => (
          <OfTime
            key={time}
            time={time}
            entry={form.typed}
            wrong={form.wrong(`accent.${time}`)}
            onChange={(colour) => form.write({ [time]: colour })}
          />
        ))}
      </div>
    </SettingCard>
  )
}

/** A single colour from which the two are derived. */
const Own = ({ onChoose }: { onChoose: (colour: string) => void }) => (
  <ColourField
    label={texts.yourBrandColour}
    path="own"
    value=""
    note={texts.wellPickTheClosestReadable}
    onChange={(colour) => {
      const own = readColour(colour)
      if (own) onChoose(own)
    }}
  />
)

type OfTimeProps = {
  time: ColourMode
  entry: AccentEntry
  wrong: string | undefined
  onChange: (colour: string) => void
}

/** A colour, a sample, and its contrast. */
function OfTime({ time, entry, wrong, onChange }: OfTimeProps) {
  const colour = readColour(entry[time])
  const pairs = colour ? contrastPairs(time, colour) : []
  const isReadable = pairs.every(meetsContrast)
  return (
    <div className={css.time}>
      <ColourField
        label={time === 'night' ? texts.darkMode : texts.lightMode}
        path={time}
        value={entry[time]}
        wrong={wrong}
        onChange={onChange}
      />
      <Preview time={time} entry={entry} />
      <ul className={css.pairs}>
        {pairs.map((pair) => (
          <li key={pair.use} data-fails={!meetsContrast(pair) || undefined}>
            {meetsContrast(pair) ? <IconCheck size={15} aria-hidden /> : <IconX size={15} aria-hidden />}
            <span>{CONTRAST_USES[pair.use]}</span>
            <b className="num">{pair.ratio.toFixed(1)}</b>
            <small className="num">
              {format(meetsContrast(pair) ? texts.min : texts.belowMin, { ratio: pair.minRatio })}
            </small>
          </li>
        ))}
      </ul>
      {colour && !isReadable && (
        <Button onClick={() => onChange(nearestReadable(time, colour))}>
          {format(texts.useReadable, { nearestReadable: nearestReadable(time, colour) })}
        </Button>
      )}
    </div>
  )
}

/** A sample of the pool with these colours as its accent. */
function Preview({ time, entry }: { time: ColourMode; entry: AccentEntry }) {
  const night = readColour(entry.night) ?? MADE.night
  const tokens = accentTokens({ night, day: readColour(entry.day) ?? MADE.day })[time]
  return (
    <div
      className={css.preview}
      data-mantine-color-scheme={time === 'night' ? 'dark' : 'light'}
      style={tokens as CSSProperties}
      inert
    >
      <span className={button.button} data-look="primary">
        {texts.download}
      </span>
      <span className={css.playing}>{rich(texts.nightDriveKwame, { b: (inside) => <b>{inside}</b> })}</span>
    </div>
  )
}
