use super::check;

#[test]
fn an_operand_takes_the_place_of_a_value_in_its_own_function_only() {
    let other = "define i32 @a(ptr %0) {\n%2 = load i32, ptr %0\nbr label %3\n3:\nret i32 %2\n}\n";
    let before = "define i32 @b(ptr %0) {\n%2 = getelementptr i8, ptr %0\n%3 = load i32, ptr %2\nret i32 %3\n}\n";
    let after = "define i32 @b(ptr %0) {\n\n%2 = load i32, ptr %0\nret i32 %2\n}\n";
    check(
        "llvm",
        &format!("{other}{before}"),
        &[&format!("{other}{after}")],
    );
}

#[test]
fn a_pointer_takes_the_place_of_one_that_is_read_through_it() {
    check(
        "llvm",
        "define i32 @a(ptr %0) {\n%2 = load ptr, ptr %0\n%3 = load i32, ptr %2\nret i32 %3\n}\n",
        &["define i32 @a(ptr %0) {\n\n%2 = load i32, ptr %0\nret i32 %2\n}\n"],
    );
}
