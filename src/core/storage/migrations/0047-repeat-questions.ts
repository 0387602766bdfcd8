/** A question about repeated photos is an addition that waits for the answer. It was one value of the settings before. */
export const sql = `
insert into addition_parts (addition_id, part, content)
  select question.value ->> '$.repeatId', 0, (select json_group_array(json_object(
      'itemId', 'it_' || lower(hex(randomblob(16))),
      'item', json_remove(photos.value, '$.photos'), 'photos', json_extract(photos.value, '$.photos')))
    from json_each(question.value, '$.sets') as photos)
  from settings, json_each(settings.value) as question where name = 'repeated photos';
insert into additions (addition_id, facts)
  select question.value ->> '$.repeatId', json_object(
      'account', question.value ->> '$.account', 'at', question.key,
      'by', json_extract(question.value, '$.by'), 'wishes', json_extract(question.value, '$.wishes'),
      'question', json_object('count', question.value ->> '$.count', 'added', json_object(
        'items', json_array_length(question.value, '$.sets'),
        'photos', (select sum(json_array_length(photos.value, '$.photos')) from json_each(question.value, '$.sets') as photos),
        'isGrouped', json('false'), 'privateParts', json('[]'))))
  from settings, json_each(settings.value) as question where name = 'repeated photos';
delete from settings where name = 'repeated photos';
`;
