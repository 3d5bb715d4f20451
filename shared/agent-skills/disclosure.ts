import { StudioError } from '../errors.ts';
import { escapeXml, renderCatalog } from './catalog.ts';
import type { CatalogSkill, CatalogStyle } from './catalog.ts';
import type { SkillReading } from './read-skill.ts';

/** A skill that a prompt offers, complete: what of it is told, and when, is decided here. */
export interface OfferedSkill extends CatalogSkill {
  /** The instructions: the body of its SKILL.md. */
  readonly body: string;
  /** The folder that relative paths of the instructions count from. */
  readonly directory: string;
  /** The other files of the skill, as paths inside its folder. */
  readonly resources: readonly string[];
  /** Set for skills that only a person may activate: the model is not told of them. */
  readonly isUserOnly?: boolean;
}

/** A skill that was read, as a prompt offers it; Claude's `disable-model-invocation` keeps it from models. */
export function offerSkill(
  { properties, body, fields }: SkillReading,
  place: Pick<OfferedSkill, 'location' | 'directory' | 'resources'>,
): OfferedSkill {
  const disabled = fields.find(({ key }) => key === 'disable-model-invocation')?.value === 'true';
  const { name = '', description = '' } = properties;
  return { name, description, body, ...place, ...(disabled && { isUserOnly: true }) };
}

/** A part of a prompt that brings skills along. Under SUMMARY neither its text nor anything inside it is told. */
export interface SkillSection {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly text: string;
  readonly visibility: 'SUMMARY' | 'FULL';
  readonly skills: readonly OfferedSkill[];
  readonly sections?: readonly SkillSection[];
}

export type DisclosureEvent =
  | { readonly type: 'skill_activated'; readonly skill: string; readonly section: string }
  | { readonly type: 'skill_expanded'; readonly section: string; readonly skills: readonly string[] };

/** What a call of the model gives back, and what happened. */
export interface Disclosed {
  readonly content: string;
  readonly events: readonly DisclosureEvent[];
}

/** A tool to offer to the model, with a JSON Schema of its parameters. */
export interface DisclosureTool {
  readonly name: 'activate_skill' | 'open_sections';
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

const maxListedResources = 100;

/** Tells a model of skills step by step: names and descriptions first, instructions on activation, files on demand. */
export class Disclosure {
  readonly #sections: readonly SkillSection[];
  readonly #opened = new Set<string>();
  readonly #activated = new Set<string>();

  /** Refuses two sections of one id and two skills of one name, also where one of them is hidden so far. */
  constructor(sections: readonly SkillSection[]) {
    this.#sections = sections;
    refuseDuplicates(flatten(sections));
  }

  /** The skills that may be mounted and listed now: those of no closed section. */
  get skills(): readonly OfferedSkill[] {
    return this.#visible().flatMap(({ skills }) => skills);
  }

  /** The sections as text; a closed one is its summary and the way to open it. */
  render(): string {
    return this.#rendered(this.#sections).join('\n\n');
  }

  /** The list of skills with a sentence on its use; empty where there are none. */
  catalog(style?: CatalogStyle): string {
    const skills = this.skills.filter(({ isUserOnly }) => isUserOnly !== true);
    if (skills.length === 0) return '';
    const use =
      'These skills hold instructions for special tasks. When a task fits the description of one, ' +
      'call activate_skill with its name before you start.';
    return `${use}\n\n${renderCatalog(skills, style)}`;
  }

  /** The tools that make sense now: none to activate where there is no skill, none to open where all is open. */
  tools(): readonly DisclosureTool[] {
    const names = this.skills.filter(({ isUserOnly }) => isUserOnly !== true).map(({ name }) => name);
    const closed = this.#closed().map(({ id }) => id);
    const tools: DisclosureTool[] = [];
    if (names.length > 0) {
      const description = 'Gives the instructions of a skill and lists its files';
      const name = { type: 'string', enum: names };
      tools.push({ name: 'activate_skill', description, parameters: objectSchema('name', name) });
    }
    if (closed.length > 0) {
      const description = 'Gives the whole text of summarised sections, and makes their skills available';
      const ids = { type: 'array', items: { type: 'string', enum: closed }, minItems: 1 };
      tools.push({ name: 'open_sections', description, parameters: objectSchema('sections', ids) });
    }
    return tools;
  }

  /** The instructions of a skill, once: a second activation says that they were given. */
  activate(name: string): Disclosed {
    const section = this.#visible().find(({ skills }) => skills.some((skill) => skill.name === name));
    const skill = section?.skills.find((candidate) => candidate.name === name);
    if (!section || !skill) {
      const known = this.skills.map((candidate) => `"${candidate.name}"`).join(', ');
      const message = `Cannot activate skill "${name}": ${known === '' ? 'there is none' : `choose one of ${known}`}`;
      throw new StudioError('agent-skill.not-found', message, { name });
    }
    if (this.#activated.has(name)) {
      return { content: `Skill "${name}" is active: its instructions were given above.`, events: [] };
    }
    this.#activated.add(name);
    return {
      content: skillContent(skill),
      events: [{ type: 'skill_activated', skill: name, section: section.id }],
    };
  }

  /** Opens sections for good and gives their text; one that is open already, or hidden inside a closed one, is refused. */
  openSections(ids: readonly string[]): Disclosed {
    const closed = this.#closed();
    const wanted = [...new Set(ids)].map((id) => {
      const section = closed.find((candidate) => candidate.id === id);
      if (section) return section;
      const known = closed.map((candidate) => `"${candidate.id}"`).join(', ');
      const message = `Cannot open section "${id}": ${known === '' ? 'all are open' : `choose one of ${known}`}`;
      throw new StudioError('agent-skill.not-found', message, { section: id });
    });
    const events = wanted.map((section): DisclosureEvent => {
      const before = new Set(this.skills);
      this.#opened.add(section.id);
      const skills = this.skills.filter((skill) => !before.has(skill)).map(({ name }) => name);
      return { type: 'skill_expanded', section: section.id, skills };
    });
    return { content: this.#rendered(wanted).join('\n\n'), events };
  }

  #isOpen(section: SkillSection): boolean {
    return section.visibility === 'FULL' || this.#opened.has(section.id);
  }

  #visible(): SkillSection[] {
    return flatten(this.#sections, (section) => this.#isOpen(section));
  }

  /** Closed sections that a model can see: those inside another closed one are not told of. */
  #closed(): SkillSection[] {
    const inside = [this.#sections, ...this.#visible().map(({ sections = [] }) => sections)].flat();
    return inside.filter((section) => !this.#isOpen(section));
  }

  #rendered(sections: readonly SkillSection[]): string[] {
    return sections.flatMap((section) => {
      const { id, title, text, summary } = section;
      if (this.#isOpen(section))
        return [`## ${title}\n\n${text.trim()}`, ...this.#rendered(section.sections ?? [])];
      const suffix = `(Summarised: call open_sections with ["${id}"] for the whole section and its skills.)`;
      return [`## ${title}\n\n${summary.trim()}\n\n${suffix}`];
    });
  }
}

/** An activated skill as the model gets it: its instructions, its folder, and its files by name only. */
export function skillContent({ name, body, directory, resources }: OfferedSkill): string {
  const listed = resources.slice(0, maxListedResources).map((path) => `<file>${escapeXml(path)}</file>`);
  const more = resources.length - listed.length;
  return [
    `<skill_content name="${escapeXml(name)}">`,
    // Instructions that end their own element could pretend to be the user's words.
    body.trim().replace(/<(\/?skill_(?:content|resources)\b)/gi, '&lt;$1'),
    '',
    `Skill directory: ${escapeXml(directory)}`,
    'Relative paths in this skill count from that directory.',
    ...(listed.length > 0 ? ['<skill_resources>', ...listed] : []),
    ...(more > 0 ? [`<!-- ${more} more files -->`] : []),
    ...(listed.length > 0 ? ['</skill_resources>'] : []),
    '</skill_content>',
  ].join('\n');
}

function objectSchema(key: string, property: object): Readonly<Record<string, unknown>> {
  return { type: 'object', properties: { [key]: property }, required: [key], additionalProperties: false };
}

function flatten(
  sections: readonly SkillSection[],
  isShown: (section: SkillSection) => boolean = () => true,
): SkillSection[] {
  return sections
    .filter(isShown)
    .flatMap((section) => [section, ...flatten(section.sections ?? [], isShown)]);
}

function refuseDuplicates(sections: readonly SkillSection[]): void {
  const ids = new Set<string>();
  const owners = new Map<string, string>();
  for (const { id, skills } of sections) {
    if (ids.has(id)) {
      throw new StudioError('agent-skill.invalid', `Duplicate section "${id}": give one of them another id`, {
        id,
      });
    }
    ids.add(id);
    for (const { name } of skills) {
      const other = owners.get(name);
      if (other !== undefined) {
        const message = `Duplicate skill name "${name}": in section "${other}" and in section "${id}"`;
        const details = { reason: 'duplicate', name, sections: [other, id] };
        throw new StudioError('agent-skill.invalid', message, details);
      }
      owners.set(name, id);
    }
  }
}
