import { Kind, type TObject, type TSchema } from '@sinclair/typebox';
import { TypeCompiler, ValueErrorType } from '@sinclair/typebox/compiler';
import { Value } from '@sinclair/typebox/value';
import { ApiError } from '../errors.js';

export type Validator = (input: unknown) => Record<string, unknown>;

/**
 * A check of the parameters of one place (`query`, `path`, `body`). Strings are turned into the numbers and booleans
 * the schema asks for and defaults are filled in. Throws ApiError missing_parameter or invalid_parameter that names the
 * parameter, what was expected and what came.
 */
export function validator(schema: TObject, place: 'query' | 'path' | 'body'): Validator {
  const check = TypeCompiler.Compile(schema);
  return (input) => {
    const given = { ...(input as Record<string, unknown>) };
    for (const name of Object.keys(given)) {
      if (!Object.hasOwn(schema.properties, name))
        throw unknownParameter(name, place, Object.keys(schema.properties));
    }
    const value = Value.Default(schema, Value.Convert(schema, given)) as Record<string, unknown>;
    const error = check.Errors(value).First();
    if (!error) return value;
    const param = error.path.slice(1).replaceAll('/', '.');
    if (error.type === ValueErrorType.ObjectRequiredProperty) {
      throw new ApiError(
        'missing_parameter',
        `The ${place} parameter "${param}" is missing: expected ${describe(error.schema)}.`,
        { param },
      );
    }
    const came = JSON.stringify(error.value).slice(0, 80);
    throw new ApiError(
      'invalid_parameter',
      `The ${place} parameter "${param}" is ${came}: expected ${describe(error.schema)}.`,
      { param },
    );
  };
}

function unknownParameter(name: string, place: string, known: string[]): ApiError {
  const hint = known.length > 0 ? `This endpoint takes ${known.join(', ')}` : 'This endpoint takes none';
  const param = name.slice(0, 80);
  return new ApiError('invalid_parameter', `There is no ${place} parameter "${param}". ${hint}.`, { param });
}

interface Constraints {
  type?: string;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
}

const nouns: Record<string, string> = {
  Integer: 'a whole number',
  Number: 'a number',
  Boolean: 'true or false',
  Array: 'a list',
  Null: 'null',
};

/** A schema in words, for error messages. */
function describe(schema: TSchema): string {
  if (Array.isArray(schema.anyOf)) {
    return (schema.anyOf as TSchema[]).map(describe).join(' or ');
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const { type, minimum, maximum, pattern, minItems = 0, maxItems } = schema as TSchema & Constraints;
  const noun = nouns[schema[Kind]] ?? `a ${type ?? 'value'}`;
  if (minimum !== undefined && maximum !== undefined) return `${noun} from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `${noun} of at least ${minimum}`;
  if (maxItems !== undefined) return `${noun} of ${minItems} to ${maxItems} items`;
  if (pattern !== undefined) return `${noun} of the form ${pattern}`;
  return noun;
}
