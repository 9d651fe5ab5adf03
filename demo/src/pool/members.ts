export const DEMO_PASSWORD = 'dubplate'

/** Role of a demo member; the pool's own groups are 2 (DJ) and 3 (label). */
export type DemoMember = {
  email: string
  dj_name: string
  first_name: string
  last_name: string
  country: string
  membership: 'paid' | 'unpaid' | 'label' | 'new' | 'applied' | 'staff'
  group_id: 2 | 3 | null
}

// biome-ignore format: a table reads best as a table
export const DEMO_MEMBERS: readonly DemoMember[] = [
  { email: 'dj@demo.test', dj_name: 'DJ Marlow', first_name: 'Robin', last_name: 'Marlow', country: 'GB', membership: 'paid', group_id: 2 },
  { email: 'free@demo.test', dj_name: 'Selecta Juno', first_name: 'Juno', last_name: 'Bakker', country: 'NL', membership: 'unpaid', group_id: 2 },
  { email: 'label@demo.test', dj_name: 'Rye Lane Audio', first_name: 'Imani', last_name: 'Clarke', country: 'GB', membership: 'label', group_id: 3 },
  { email: 'new@demo.test', dj_name: 'Kit Sparrow', first_name: 'Kit', last_name: 'Sparrow', country: 'IE', membership: 'new', group_id: null },
  { email: 'pending@demo.test', dj_name: 'DJ Alvorada', first_name: 'Nádia', last_name: 'Ferraz', country: 'BR', membership: 'applied', group_id: null },
  { email: 'staff@demo.test', dj_name: 'Front Desk', first_name: 'Sam', last_name: 'Okafor', country: 'US', membership: 'staff', group_id: null },
]

export type CrowdMember = { email: string; dj_name: string; first_name: string; last_name: string; country: string }

const CROWD_NAMES = `
  DJ Kilo|Karim|Lone|FR; Nena Static|Nena|Hauser|DE; Lowrider Lou|Louis|Prieto|US; DJ Tangerine|Tilda|Norén|SE; Sir Fader|Fadil|Rahal|AE; Coco Basslet|Corinne|Basset|FR
  Papa Wax|Winston|Grey|JM; Mixta Kofi|Kofi|Adomako|GH; DJ Aoi|Aoi|Kurata|JP; Vinyl Vera|Vera|Sokol|CZ; Brooklyn Bode|Bode|Adeyemi|US; DJ Ñandú|Nicolás|Duarte|AR
  La Jefa|Jimena|Farías|MX; Crate Goblin|Gil|Brandt|DE; Sundog|Solveig|Dahl|NO; DJ Pepper|Pia|Perry|AU; Mister Meridian|Milo|Ridge|CA; Ruby Redline|Ruby|Lim|SG
  DJ Oksana|Оксана|Левченко|UA; Kiki Cut|Kiara|Cutrone|IT; Deep Dale|Dale|Ingram|US; Rico Tempo|Ricardo|Tempone|AR; Tone Farmer|Anton|Faber|AT; DJ Saffron|Safiya|Rahman|GB
  Yellow Taxi|Theo|Yellin|US; Boa Noite|Bento|Noites|BR; MC Platter|Marcus|Platt|GB; DJ Zima|Zuzana|Zimová|SK; Club Cartographer|Carla|Grafe|DE; Nightingale Nick|Nick|Gale|NZ
  Sis Rotary|Simone|Rotteveel|NL; DJ Mango Chutney|Manoj|Chaudhry|IN; Turnstile|Tania|Stiles|US; Dub Abbot|Abel|Bott|GB; Elektra Vox|Eleni|Voulgari|GR; DJ Halva|Hilal|Avcı|TR
  Foxtrot Fin|Finlay|Trott|GB; Luz Verde|Lucía|Verdejo|ES; DJ Kestutis|Kęstutis|Butkus|LT; Bassment Betty|Beatriz|Manso|PT; One Deck Wonder|Owen|Decker|IE; DJ Prairie|Paige|Rairie|CA
  Sugar Ray Vaughn|Raymond|Vaughn|US; Kola Nut|Kolade|Nwosu|NG; DJ Misty|Misato|Yoshida|JP; Ghost Fader|Gosia|Fadrowska|PL; Big Tuna Mixes|Antonio|Tunari|BO; DJ Lagoon|Laura|Guna|EE
  Wheels of Stella|Stella|Weil|CH; Slow Hands Sal|Salvatore|Mani|IT; DJ Pixel Dust|Dustin|Pixley|US; Queen Quantize|Quiana|Tise|US; Hot Cue Hugh|Hugh|Cuesta|GB; DJ Sólveig|Sólveig|Jónsdóttir|IS
  Madame Monitor|Monique|Toren|BE; Phono Phil|Phil|Onome|ZA; DJ Kumquat|Kumiko|Watanabe|JP; The Tuesday Resident|Tue|Rasmussen|DK; Needle Ned|Edward|Neale|AU; Carnaval Carol|Carolina|Valdés|CO`

const slug = (name: string) =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')

/** Sixty background members, who make up the activity in the charts. Nobody signs in as them. */
export const CROWD: readonly CrowdMember[] = CROWD_NAMES.trim()
  .split(/\s*[;\n]\s*/)
  .map((line) => {
    const [dj_name = '', first_name = '', last_name = '', country = ''] = line.split('|')
    return { email: `${slug(dj_name).replaceAll(/^-|-$/g, '')}@crowd.invalid`, dj_name, first_name, last_name, country }
  })
