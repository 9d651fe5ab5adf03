import type { System } from '@dubplate/contract'
import { SOFTWARE_NAMES } from '@dubplate/contract/schemas/dj-software'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { format } from '../../format/message.ts'
import { Page } from '../../platform/Page.tsx'
import button from '../../ui/Button.module.css'
import { SectionHead } from '../../ui/SectionHead.tsx'
import segments from '../../ui/Segments.module.css'
import { SYSTEM_NAMES, systemOf } from '../systems.ts'
import { CONTENT_NAMES } from './contentNames.ts'
import { Drawing } from './Drawing.tsx'
import { GuideText } from './GuideText.tsx'
import { CONTENTS, type Guide } from './guide.ts'
import { GUIDES } from './guides.ts'
import css from './KitGuide.module.css'
import { placesOf } from './places.ts'
import * as texts from './texts.ts'

/** The system in the URL, or that of the browser, if the program runs on it. */
function useSystem({ systems }: Guide): System {
  const { system = systemOf(navigator.userAgent) } = useSearch({ from: '/dj-software/$software' })
  return systems.find((each) => each === system) ?? systems[0]!
}

/** How a kit is imported into one program. */
export function KitGuide() {
  const { software } = useParams({ from: '/dj-software/$software' })
  const guide = GUIDES[software]
  const system = useSystem(guide)
  const name = SOFTWARE_NAMES[software]
  const sections = { guide, system }
  return (
    <Page
      title={format(texts.useYourKit, { software: name })}
      note={format(texts.aboutThisGuide, { software: name })}
      width="narrow"
      actions={
        <Link to="/dj-software" className={button.button}>
          {texts.allPrograms}
        </Link>
      }
    >
      <div className={css.sections}>
        <Contents {...sections} />
        <Steps {...sections} />
        <Problems {...sections} />
      </div>
    </Page>
  )
}

type Props = { guide: Guide; system: System }

const Contents = ({ guide: { software, contents, missing }, system }: Props) => (
  <section aria-labelledby="contents">
    <SectionHead id="contents" title={texts.whatTheKitContains} />
    <table className={css.contents}>
      <tbody>
        {CONTENTS.map((content) => (
          <tr key={content} data-missing={contents[content] === undefined || undefined}>
            <th scope="row">{CONTENT_NAMES[content]}</th>
            <td>
              <GuideText
                text={contents[content] ?? missing?.[content] ?? texts.notIncluded}
                software={software}
                system={system}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    {contents.grid !== undefined && <p className={css.note}>{texts.gridsNeedAnalysis}</p>}
  </section>
)

function Steps({ guide: { software, systems, steps }, system }: Props) {
  const places = placesOf(software, system)
  return (
    <section aria-labelledby="import">
      <SectionHead id="import" title={texts.importTheKit} />
      <nav className={`${segments.segments} ${css.systems}`} aria-label={texts.operatingSystem}>
        {systems.map((each) => (
          <Link
            key={each}
            to="/dj-software/$software"
            params={{ software }}
            search={{ system: each }}
            replace
            resetScroll={false}
            aria-current={each === system ? 'true' : undefined}
          >
            {SYSTEM_NAMES[each]}
          </Link>
        ))}
      </nav>
      <ol className={css.steps}>
        {steps.map(({ title, text, drawing }) => (
          <li key={title}>
            <div>
              <h3>{title}</h3>
              <p>
                <GuideText text={text} software={software} system={system} />
              </p>
            </div>
            <Drawing drawing={drawing} places={places} />
          </li>
        ))}
      </ol>
    </section>
  )
}

const Problems = ({ guide: { software, problems }, system }: Props) => (
  <section aria-labelledby="problems">
    <SectionHead id="problems" title={texts.ifSomethingIsMissing} />
    <ul className={css.problems}>
      {problems.map(({ title, fix }) => (
        <li key={title}>
          <h3>{title}</h3>
          <p>
            <GuideText text={typeof fix === 'string' ? fix : (fix[system] ?? '')} software={software} system={system} />
          </p>
        </li>
      ))}
    </ul>
  </section>
)
