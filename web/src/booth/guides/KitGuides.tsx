import { SOFTWARE, SOFTWARE_NAMES } from '@dubplate/contract/schemas/dj-software'
import { IconCheck, IconMinus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Page } from '../../platform/Page.tsx'
import { SectionHead } from '../../ui/SectionHead.tsx'
import { CONTENT_NAMES } from './contentNames.ts'
import type { Guide } from './guide.ts'
import { GUIDES } from './guides.ts'
import css from './KitGuides.module.css'
import * as texts from './texts.ts'

/** The guides of all programs, and what a kit contains for each. */
export const KitGuides = () => (
  <Page title={texts.kitsForYourSoftware} note={texts.overview} width="narrow">
    <ul className={css.cards}>
      {SOFTWARE.map((software) => (
        <li key={software} className={css.card}>
          <Link to="/dj-software/$software" params={{ software }}>
            {SOFTWARE_NAMES[software]}
          </Link>
          <p>{GUIDES[software].summary}</p>
        </li>
      ))}
    </ul>
    <Comparison />
  </Page>
)

const includes =
  (content: 'playlist' | 'grid' | 'cues' | 'key' | 'comment' | 'stars') =>
  ({ contents }: Guide) =>
    contents[content] !== undefined

const ROWS: [name: string, isIncluded: (guide: Guide) => boolean][] = [
  [CONTENT_NAMES.playlist, includes('playlist')],
  [CONTENT_NAMES.grid, includes('grid')],
  [CONTENT_NAMES.cues, includes('cues')],
  [texts.cueColours, ({ hasCueColours }) => hasCueColours],
  [CONTENT_NAMES.key, includes('key')],
  [CONTENT_NAMES.comment, includes('comment')],
  [CONTENT_NAMES.stars, includes('stars')],
  [texts.energyColour, ({ hasEnergyColour }) => hasEnergyColour],
]

const Comparison = () => (
  <div>
    <SectionHead id="comparison" title={texts.whatAKitContains} />
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls on narrow screens, and the keyboard must reach it */}
    <section className={css.scroll} aria-labelledby="comparison" tabIndex={0}>
      <table className={css.comparison}>
        <thead>
          <tr>
            <td />
            {SOFTWARE.map((software) => (
              <th key={software} scope="col">
                <span>{SOFTWARE_NAMES[software]}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ROWS.map(([name, isIncluded]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {SOFTWARE.map((software) => (
                <td key={software}>
                  <Mark isIncluded={isIncluded(GUIDES[software])} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
    <p className={css.note}>{texts.whatTheKitContainsNote}</p>
  </div>
)

const Mark = ({ isIncluded }: { isIncluded: boolean }) => (
  <>
    {isIncluded ? <IconCheck size={16} stroke={2.2} aria-hidden /> : <IconMinus size={16} aria-hidden />}
    <span className="sr">{isIncluded ? texts.included : texts.notIncluded}</span>
  </>
)
