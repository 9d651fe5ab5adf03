import type { quality } from '@dubplate/contract'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { format } from '../format/message.ts'
import { Dialog } from '../ui/Dialog.tsx'
import css from './Quality.module.css'
import { SealIcon, type SealProps } from './SealBadge.tsx'
import { Spectrum } from './Spectrum.tsx'
import { checksOf, formatName, sealHint, sealTitle } from './sealTexts.ts'
import * as texts from './texts.ts'

/** What was checked of a file and found, and its spectrum. */
export const SealDialog = ({ seal, name, target, audience, onClose }: SealProps & { onClose: () => void }) => (
  <Dialog title={format(texts.quality, { name })} isWide onClose={onClose}>
    <div className={css.dialog}>
      <p className={css.statement}>
        <SealIcon state={seal.state} size={20} />
        {sealTitle(seal)}
      </p>
      <p className={css.hint}>{sealHint(seal, audience)}</p>
      <Facts seal={seal} />
      {seal.state !== 'not_checked' && <Checks seal={seal} />}
      <section>
        <h3>{texts.spectrum}</h3>
        <Spectrum target={target} name={name} audience={audience} />
      </section>
    </div>
  </Dialog>
)

function Facts({ seal }: { seal: quality.Seal }) {
  const { bitrate_kbps, sample_rate, bit_depth } = seal
  const facts: [name: string, value: string | false][] = [
    [texts.fileFormat, formatName(seal)],
    [texts.bitRate, bitrate_kbps > 0 && format(texts.bitRateValue, { kbps: Math.round(bitrate_kbps) })],
    [texts.sampleRate, sample_rate > 0 && format(texts.khz, { khz: sample_rate / 1000 })],
    [texts.bitDepth, bit_depth !== null && format(texts.bitDepthValue, { bits: bit_depth })],
  ]
  const known = facts.filter(([, value]) => value)
  if (known.length === 0) return null
  return (
    <dl className={css.facts}>
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="num">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const Checks = ({ seal }: { seal: quality.Seal }) => (
  <section>
    <h3>{texts.checkedFor}</h3>
    <ul className={css.checks}>
      {checksOf(seal).map(({ name, warnings }) => (
        <li key={name}>
          {warnings.length > 0 ? (
            <IconAlertTriangle size={16} className={css.icon} data-state="warning" aria-hidden />
          ) : (
            <IconCheck size={16} className={css.icon} data-state="checked" aria-hidden />
          )}
          <span>
            {name}
            {warnings.length === 0 && <span className="sr">: {texts.noProblemFound}</span>}
            {warnings.map(({ code, message }) => (
              <small key={code}>{message}</small>
            ))}
          </span>
        </li>
      ))}
    </ul>
    <p className={css.hint}>
      <small>{texts.automaticChecks}</small>
    </p>
  </section>
)
